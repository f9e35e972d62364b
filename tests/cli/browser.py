"""Chromium without a window, driven through its pipe of DevTools commands: no package is needed for it."""
import base64, json, os, subprocess, tempfile


class Browser:
    """One page of one Chromium: with Browser(chromium) as b: b.open(path, 1440, 900)."""

    def __init__(self, chromium):
        self.chromium = chromium

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        theirs_in, self.ours_out = os.pipe()
        self.ours_in, theirs_out = os.pipe()
        os.set_inheritable(theirs_in, True)
        os.set_inheritable(theirs_out, True)
        # The commands are read from descriptor 3 and answered on 4, which a shell in between may put there.
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec 5<&{theirs_in} 6>&{theirs_out}; exec 3<&5 4>&6; exec "$@"', "sh", self.chromium, "--headless", "--no-sandbox",
             "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}/profile", "about:blank"],
            close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.asked, self.left, self.events, self.session = 0, b"", [], None
        target = next(t for t in self.ask("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.ask("Page.enable")
        return self

    def __exit__(self, *_):
        self.session = None
        self.ask("Browser.close")
        self.process.wait(timeout=300)
        os.close(self.ours_in)
        os.close(self.ours_out)
        self.folder.cleanup()

    def message(self):
        while b"\0" not in self.left:
            block = os.read(self.ours_in, 1 << 20)
            if not block:
                raise OSError(f"{self.chromium} ended")
            self.left += block
        text, self.left = self.left.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **parameters):
        self.asked += 1
        command = {"id": self.asked, "method": method, "params": parameters}
        if self.session:
            command["sessionId"] = self.session
        os.write(self.ours_out, json.dumps(command).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.asked:
                if "error" in answer:
                    raise OSError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, path, width, height, dark=False):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.events.clear()
        self.ask("Page.navigate", url=f"file://{os.path.realpath(path)}")
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.message())

    def value(self, expression, wait=False):
        """What an expression, or with `wait` the promise that it is, is worth in the page; the page's own policy does not bar it."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=wait)
        if "exceptionDetails" in answer:
            raise OSError(f"{expression[:80]}: {answer['exceptionDetails']['exception']['description']}")
        return answer["result"].get("value")

    def press(self, key, code, text=""):
        """One key as a keyboard sends it: down, with the text that it types, and up."""
        key = {"key": key, "code": key if len(key) > 1 else "Space", "windowsVirtualKeyCode": code}
        self.ask("Input.dispatchKeyEvent", type="keyDown", text=text, **key)
        self.ask("Input.dispatchKeyEvent", type="keyUp", **key)

    def screenshot(self, path, **clip):
        more = {"clip": dict(clip, scale=1), "captureBeyondViewport": True} if clip else {}
        with open(path, "wb") as f:
            f.write(base64.b64decode(self.ask("Page.captureScreenshot", **more)["data"]))

    def pdf(self):
        return base64.b64decode(self.ask("Page.printToPDF", preferCSSPageSize=True)["data"])
