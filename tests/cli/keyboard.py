"""The page by keyboard alone, with real key presses: keyboard.py CHROMIUM PAGE.html LADDER WIDTH,....  Through every stop of the page, every step of the ladder
opened and closed, its links followed, a shape chosen, side steps hidden.  Prints the faults."""
import sys

from browser import Browser

TAB, ENTER, SPACE, RIGHT = ("Tab", 9, ""), ("Enter", 13, "\r"), (" ", 32, " "), ("ArrowRight", 39, "")
STOPS_MOST = 3000
# What has the focus, and whether a reader sees that it has: a ring, on the screen, with a name for who listens.
FOCUS = """(() => {
  const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
  if (e === document.body) return null;
  window.stops = window.stops || [];
  if (!window.stops.includes(e)) window.stops.push(e);
  const name = e.getAttribute("aria-label") || (e.labels && e.labels[0] ? e.labels[0].textContent : e.textContent);
  return {at: window.stops.indexOf(e), tag: e.tagName, name: name.trim().slice(0, 60), id: e.id, href: e.getAttribute("href"),
          seen: box.bottom > 0 && box.top < innerHeight && box.height > 0,
          ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0,
          step: e.tagName === "SUMMARY" && e.parentElement.classList.contains("step") ? e.parentElement.closest("section").id : null};
})()"""
OPEN = "document.activeElement.parentElement.open"
faults = []


def fault(text):
    faults.append(text)


def check(stop):
    if not stop["seen"]:
        fault(f"the focus is off the screen: {stop['tag']} {stop['name']}")
    if not stop["ring"]:
        fault(f"no ring around the focus: {stop['tag']} {stop['name']}")
    if not stop["name"]:
        fault(f"a stop without a name: {stop['tag']} {stop['id']}")


def walk(b, until):
    """Tab after tab until a stop that `until` wants: it, or None at the end of the page."""
    for _ in range(STOPS_MOST):
        b.press(*TAB)
        stop = b.value(FOCUS)
        if stop is None:
            return None
        check(stop)
        if until(stop):
            return stop
    fault(f"the page has more than {STOPS_MOST} stops, or the focus is caught")
    return None


def again(b, stop):
    b.value(f"window.stops[{stop['at']}].focus()")


def controls(b):
    """Shapes by arrow, side steps by space."""
    shapes = b.value("document.querySelectorAll('input[type=radio]').length")
    if shapes > 1:
        if not walk(b, lambda s: s["id"] == "shape-0"):
            return fault("the shapes are not reached")
        b.press(*RIGHT)
        if not b.value("document.getElementById('shape-1').checked"):
            fault("an arrow does not choose the next shape")
        if b.value("[...document.querySelectorAll('.at-0')].some(e => e.offsetParent) || ![...document.querySelectorAll('.at-1')].some(e => e.offsetParent)"):
            fault("the second shape's numbers are not what is shown")
    if walk(b, lambda s: s["id"] == "hide-sides"):
        b.press(*SPACE)
        if b.value("[...document.querySelectorAll('.side')].some(e => e.offsetParent)"):
            fault("side steps stay")
        b.press(*SPACE)
        if not b.value("[...document.querySelectorAll('.side')].some(e => e.offsetParent)"):
            fault("side steps do not come back")


def step(b, stop, last):
    """One step: opened by Enter, its links reached and followed, closed by Space."""
    b.press(*ENTER)
    if not b.value(OPEN):
        fault(f"Enter does not open {stop['name']}")
        return
    wanted = {"#top"} if last else {"#top", "next"}
    found = {}
    for _ in range(200):
        b.press(*TAB)
        inside = b.value(FOCUS)
        if inside is None or inside["step"]:
            break
        check(inside)
        if inside["href"]:
            found[inside["name"] if inside["name"] == "next" else inside["href"]] = inside
    if not wanted <= set(found):
        fault(f"{stop['name']}: no link {', '.join(sorted(wanted - set(found)))} by keyboard")
    elif not last:
        again(b, found["next"])
        b.press(*ENTER)
        target = found["next"]["href"][1:]
        if not b.value(f"(() => {{ const d = document.getElementById('{target}')?.closest('details'), y = d?.getBoundingClientRect().top;"
                       f" return d?.open && y > -200 && y < innerHeight; }})()"):
            fault(f"{stop['name']}: the link to the next step does not show it")
        b.value(f"document.getElementById('{target}')?.closest('details').removeAttribute('open')")
    again(b, stop)
    b.press(*SPACE)
    if b.value(OPEN):
        fault(f"Space does not close {stop['name']}")


def page_walk(b, ladder):
    controls(b)
    if not walk(b, lambda s: s["step"] == f"ladder-{ladder}"):
        fault(f"no step of ladder {ladder} is reached")
    steps, stop = [], b.value(FOCUS)
    while stop and stop["step"] == f"ladder-{ladder}":
        steps.append(stop)
        stop = walk(b, lambda s: True)
    there = b.value(f"document.querySelectorAll('#ladder-{ladder} details.step').length")
    if len(steps) != there:
        fault(f"{len(steps)} of the {there} steps of ladder {ladder} are reached")
    of_rungs = [s for s in steps if b.value(f"window.stops[{s['at']}].parentElement.querySelector('.ways') !== null")]
    for s in of_rungs:
        again(b, s)
        step(b, s, s is of_rungs[-1])
    b.value("document.activeElement.blur(); window.scrollTo(0, 0)")
    walk(b, lambda s: False)  # to the end of the page
    print(f"{len(of_rungs)} steps, {b.value('window.stops.length')} stops", file=sys.stderr)


def main():
    chromium, page, ladder, widths = sys.argv[1:]
    said = []
    with Browser(chromium) as b:
        for width in widths.split(","):
            b.open(page, int(width), 900)
            page_walk(b, ladder)
            said += [f"at {width} px: {text}" for text in faults[:12]]
            faults.clear()
    print("\n".join(said))
    sys.exit(bool(said))


main()
