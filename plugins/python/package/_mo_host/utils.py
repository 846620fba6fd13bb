"""Errors and small helpers."""


class Error(Exception):
    """The Model Optimizer's error: a text with places for the other arguments."""

    def __init__(self, text='', *args):
        try:
            message = str(text).format(*args) if args else str(text)
        except (IndexError, KeyError, ValueError):
            message = '{} {}'.format(text, args)
        super().__init__(message)


class FrameworkError(Error):
    pass


class InternalError(Error):
    pass


class MissingAttribute(AttributeError, KeyError):
    """Both, as hasattr asks for one and extensions catch the other."""

    def __str__(self):
        return str(self.args[0]) if self.args else ''


def refer_to_faq_msg(question_num):
    return ''
