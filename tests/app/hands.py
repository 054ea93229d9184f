"""What a person does in the app."""

import random

READY = ".status.mine, .status.over"


def begin(page, url, game):
    """Begin a match, and wait for the first decision."""
    page.goto(f"{url}/#/new/{game}")
    page.click("button.large")
    page.wait_for_selector(READY)


def is_over(page):
    return page.query_selector(".status.over") is not None


def own_actions(page):
    return page.locator(".log .own").count()


def act(page, choice):
    """Make one own action by clicks, on the board where that is possible; False at the end."""
    for _ in range(12):
        page.wait_for_selector(READY)
        if is_over(page):
            return False
        before = own_actions(page)
        target, on_board = aim(page, choice)
        if on_board:
            tap(page, target)
        else:
            target.click()
        page.wait_for_function(
            "([before, ready]) => document.querySelectorAll('.log .own').length > before"
            " || document.querySelector(ready)",
            arg=[before, READY],
        )
        if own_actions(page) > before:
            return True
    raise AssertionError("twelve clicks made no action")


def aim(page, choice):
    """What to click next, and whether it is on the board."""
    keys = page.locator("[data-live]")
    buttons = page.locator(".actions button.action")
    begun = page.locator(".overlay .chosen").count() > 0
    if keys.count() and not (begun and buttons.count() and choice.random() < 0.5):
        return keys.nth(choice.randrange(keys.count())), True
    return buttons.nth(choice.randrange(buttons.count())), False


def tap(page, key):
    """Click where a key is not covered by a smaller one."""
    place = spot(key)
    if place is None:
        key.click(force=True)
    else:
        page.mouse.click(*place)


def spot(key):
    """A point of the page at which a click means this key, or None."""
    return key.evaluate(
        """key => {
            const box = key.getBoundingClientRect();
            for (const across of [0.5, 0.2, 0.8, 0.05, 0.95])
                for (const down of [0.5, 0.2, 0.8, 0.05, 0.95]) {
                    const at = [box.left + across * box.width, box.top + down * box.height];
                    if (document.elementFromPoint(...at) === key) return at;
                }
            key.scrollIntoView({block: "center"});
            return null;
        }"""
    )


def seeded(text):
    return random.Random(text)
