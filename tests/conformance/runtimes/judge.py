"""Releases of OpenVINO as judges of IRs: Worker(python).ask(case), or Pool(python, jobs).map(cases). What a case and its
answer have is said in worker.py; besides the statuses there are crash (the signal in error) and timeout."""
import collections
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))


class Worker:
    """A process with one release. A case that kills it costs that case only."""

    def __init__(self, python, timeout=120, recycle_mib=3000, env=None):
        self.python, self.timeout, self.recycle, self.proc, self.buffer = python, timeout, recycle_mib, None, b""
        self.env = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", **(env or {}))
        self.version, self.old, self.served = None, None, 0

    def start(self):
        self.served = 0
        self.log = tempfile.TemporaryFile()
        self.proc = subprocess.Popen([self.python, os.path.join(HERE, "worker.py")], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, stderr=self.log, env=self.env)
        self.buffer = b""
        hello = self._line(120)
        if hello is None:
            raise RuntimeError("the worker of %s does not start: %s" % (self.python, self._stderr()))
        hello = json.loads(hello)
        self.version, self.old = hello["ready"], hello["old"]

    def _stderr(self):
        try:
            self.log.seek(0, 2)
            self.log.seek(max(0, self.log.tell() - 1500))
            return self.log.read().decode(errors="replace").strip()[-700:]
        except (OSError, ValueError):
            return ""

    def _line(self, timeout):
        fd = self.proc.stdout.fileno()
        while b"\n" not in self.buffer:
            ready, _, _ = select.select([fd], [], [], timeout)
            if not ready:
                return None
            part = os.read(fd, 1 << 16)
            if not part:
                return None
            self.buffer += part
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line

    def ask(self, case, timeout=None):
        """The answer. A failure counts only when it also happens in a fresh process: some cases spoil those after them
        (2023.0: "could not create a primitive" for all that follow)."""
        used = self.served if self.proc is not None else 0
        answer = self._ask(case, timeout)
        if answer["status"] != "ok" and used:
            self.stop()
            again = self._ask(case, timeout)
            if again["status"] == "ok":
                again["first"] = {k: answer.get(k) for k in ("status", "error")}
            return again
        return answer

    def _ask(self, case, timeout):
        if self.proc is None:
            self.start()
        self.served += 1
        try:
            self.proc.stdin.write(json.dumps(case).encode() + b"\n")
            self.proc.stdin.flush()
        except (BrokenPipeError, OSError):
            pass
        line = self._line(timeout or case.get("timeout") or self.timeout)
        if line is None:
            code = self.proc.poll()
            if code is None:
                try:
                    code = self.proc.wait(0.5)
                except subprocess.TimeoutExpired:
                    code = None
            answer = {"id": case.get("id"), "status": "timeout" if code is None else "crash", "seconds": {}}
            if code is not None:
                name = signal.Signals(-code).name if code < 0 else "exit status %d" % code
                answer["error"] = ("%s; %s" % (name, self._stderr())).strip("; ")
            self.stop()
            return answer
        answer = json.loads(line)
        if answer.get("rss_mib", 0) > self.recycle:
            self.stop()
        return answer

    def stop(self):
        if self.proc is not None:
            self.proc.kill()
            self.proc.wait()
            for f in (self.proc.stdin, self.proc.stdout, self.log):
                try:
                    f.close()
                except (OSError, ValueError):
                    pass
            self.proc = None


class Pool:
    def __init__(self, python, jobs=1, timeout=120):
        self.workers = [Worker(python, timeout) for _ in range(jobs)]

    def map(self, cases, done=None):
        """Answers in the order of the cases; done(answer, case) is called for each as it comes."""
        todo, answers, lock = collections.deque(enumerate(cases)), {}, threading.Lock()

        def loop(worker):
            while True:
                with lock:
                    if not todo:
                        break
                    k, case = todo.popleft()
                answer = worker.ask(case)
                with lock:
                    answers[k] = answer
                    if done:
                        done(answer, case)
            worker.stop()
        threads = [threading.Thread(target=loop, args=(w,)) for w in self.workers]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        return [answers[k] for k in sorted(answers)]
