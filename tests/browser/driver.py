"""Drives a headless Chromium through chromedriver, by the HTTP protocol of WebDriver and nothing else."""

import base64
import http.client
import json
import os
import re
import shutil
import subprocess
import tempfile

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Enter": "\ue007", "Down": "\ue015", "Up": "\ue013", "Escape": "\ue00c", "Tab": "\ue004"}


class Browser:
    def __init__(self, size=(1400, 900)):
        self.profile = tempfile.mkdtemp(prefix="mo-browser-")
        self.process = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, "HOME": self.profile})
        self.session = ""
        for line in self.process.stdout:
            found = re.search(r"started successfully on port (\d+)", line)
            if found:
                self.port = int(found.group(1))
                break
        else:
            raise RuntimeError("chromedriver did not start")
        # Whoever runs tests as root, in a container, has no sandbox to begin with; /dev/shm is small there.
        arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
                     f"--window-size={size[0]},{size[1]}", f"--user-data-dir={self.profile}"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments},
                  "goog:loggingPrefs": {"browser": "ALL"}, "timeouts": {"script": 60000, "pageLoad": 120000}}
        answer = self.call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = f"/session/{answer['sessionId']}"

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        try:
            if self.session:
                self.call("DELETE", self.session)
        finally:
            self.process.terminate()
            self.process.wait()
            self.process.stdout.close()
            shutil.rmtree(self.profile, ignore_errors=True)

    def call(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=180)
        connection.request(method, path, None if body is None and method != "POST" else json.dumps(body or {}),
                           {"Content-Type": "application/json"})
        value = json.loads(connection.getresponse().read())["value"]
        connection.close()
        if isinstance(value, dict) and "error" in value:
            raise RuntimeError(f"{value['error']}: {value['message']}")
        return value

    def at(self, path, body=None, method="POST"):
        return self.call(method, self.session + path, body)

    def open(self, url):
        self.at("/url", {"url": url})

    def run(self, script, *arguments):
        return self.at("/execute/sync", {"script": script, "args": list(arguments)})

    def wait(self, script, *arguments):
        """The script ends with arguments[n], its callback."""
        return self.at("/execute/async", {"script": script, "args": list(arguments)})

    def find(self, css):
        return self.at("/element", {"using": "css selector", "value": css})[ELEMENT]

    def all(self, css):
        return [e[ELEMENT] for e in self.at("/elements", {"using": "css selector", "value": css})]

    def click(self, css):
        self.at(f"/element/{self.find(css)}/click")

    def type(self, css, text):
        self.at(f"/element/{self.find(css)}/value", {"text": text})

    def press(self, *keys):
        """Keys as a user has them under the fingers, for whatever has the focus."""
        actions = [{"type": way, "value": KEYS.get(key, key)} for key in keys for way in ("keyDown", "keyUp")]
        self.at("/actions", {"actions": [{"type": "key", "id": "keys", "actions": actions}]})

    def text(self, css):
        return self.at(f"/element/{self.find(css)}/text", method="GET")

    def is_shown(self, css):
        return self.at(f"/element/{self.find(css)}/displayed", method="GET")

    def console(self):
        return [f"{e['level']}: {e['message']}" for e in self.at("/se/log", {"type": "browser"})
                if e["level"] in ("SEVERE", "WARNING")]

    def emulate(self, width, height):
        """A screen of any size; windows have a least width."""
        self.at("/goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.at("/screenshot", method="GET")))

    def pdf(self):
        return base64.b64decode(self.at("/print", {"background": True, "orientation": "landscape"}))
