"""A browser without a screen, with the page in it. Every wait is bounded."""

import base64
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-extensions", "--mute-audio"]
# Seconds for what a page has to do by itself, and for the browser to answer at all.
WAIT = 20
PATIENCE = 120
FRAME = "const done = arguments[arguments.length - 1]; requestAnimationFrame(() => setTimeout(() => done(performance.now()), 0));"


class Browser:
    """Debian's chromium, by its own driver: nothing is downloaded."""

    def __init__(self, width=1400, height=900, dark=False):
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in [*FLAGS, f"--window-size={width},{height}"] + (["--force-dark-mode"] if dark else []):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
        self.driver.set_page_load_timeout(PATIENCE)
        self.driver.set_script_timeout(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def open(self, path):
        """Loads a file; returns the seconds until its first picture is there."""
        start = time.monotonic()
        self.driver.get("file://" + path)
        self.frame()
        return time.monotonic() - start

    def frame(self):
        """Waits until what was changed is painted."""
        return self.driver.execute_async_script(FRAME)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def wait(self, script, *arguments):
        """Waits until a condition holds."""
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            value = self.run(f"return {script}", *arguments)
            if value:
                return value
            time.sleep(0.02)
        raise AssertionError(f"this did not come to be in {WAIT} s: {script}")

    def messages(self):
        """What the page wrote to the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def click(self, selector):
        self.find(selector).click()

    def keys(self, *keys):
        """Keys for what has the focus."""
        ActionChains(self.driver).send_keys(*keys).perform()

    def control(self, key):
        ActionChains(self.driver).key_down(Keys.CONTROL).send_keys(key).key_up(Keys.CONTROL).perform()

    def drag_with_shift(self, selector, start, end):
        """Draws up a rectangle, both points from the middle of an element."""
        element = self.find(selector)
        chain = ActionChains(self.driver).key_down(Keys.SHIFT).move_to_element_with_offset(element, *start).click_and_hold()
        chain.move_to_element_with_offset(element, *end).release().key_up(Keys.SHIFT).perform()

    def click_at(self, selector, x, y):
        """Clicks a point, from the middle of an element."""
        ActionChains(self.driver).move_to_element_with_offset(self.find(selector), x, y).click().perform()

    def wheel(self, selector, amount):
        """Turns the wheel over the middle of an element."""
        self.run(
            "const e = document.querySelector(arguments[0]); const r = e.getBoundingClientRect();"
            "e.dispatchEvent(new WheelEvent('wheel', {deltaY: arguments[1], clientX: r.left + r.width / 2, clientY: r.top + r.height / 2, cancelable: true}));",
            selector,
            amount,
        )

    def screenshot(self, path):
        self.frame()
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.driver.get_screenshot_as_base64()))
