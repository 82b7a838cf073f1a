"""How fast a page opens, and how many pictures it paints in a second."""

# Zooms in from the whole to single operations and back, then moves about.
FRAMES = """
const done = arguments[arguments.length - 1];
const { graph } = app;
graph.fitAll();
let count = 0, slowest = 0, last = performance.now();
const start = last;
function step(now) {
  slowest = Math.max(slowest, performance.now() - last);
  last = performance.now();
  if (count === 120) {
    done({ rate: (1000 * count) / (last - start), slowest });
    return;
  }
  const { camera } = graph;
  if (count < 80) camera.zoomAt(camera.width / 2, camera.height / 2, count < 40 ? 1.12 : 1 / 1.12, graph.leastScale);
  else camera.pan(9, 6);
  graph.invalidate();
  ++count;
  requestAnimationFrame(step);
}
requestAnimationFrame(step);
"""


def measure_frames(browser):
    """Frames in a second, and the longest of them in milliseconds."""
    return browser.driver.execute_async_script(FRAMES)


def measure_open(browser, page, runs=1):
    """Seconds from the address to the first picture, the best of some."""
    return min(browser.open(page) for _ in range(runs))
