"""What a page asks the network for, as the browser's debugging protocol tells it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class Loaded:
    kind: str  # of resource: Document, Stylesheet, Script, Font, Fetch …
    address: str
    size: int = 0  # bytes on the wire, with headers


def weigh(page: Any, show: Callable[[], object]) -> list[Loaded]:
    """Return what *show* makes the page load, without what the browser has kept."""
    begun: dict[str, Loaded] = {}
    ended: list[Loaded] = []

    def begin(event: dict[str, Any]) -> None:
        if (address := event["request"]["url"]).startswith("http"):
            begun[event["requestId"]] = Loaded(event.get("type", "Other"), address)

    def forget(event: dict[str, Any]) -> None:
        begun.pop(event["requestId"], None)

    def answer(event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            forget(event)

    def end(event: dict[str, Any]) -> None:
        if loaded := begun.pop(event["requestId"], None):
            loaded.size = int(event["encodedDataLength"])
            ended.append(loaded)

    tools = page.context.new_cdp_session(page)
    tools.on("Network.requestWillBeSent", begin)
    tools.on("Network.requestServedFromCache", forget)
    tools.on("Network.responseReceived", answer)
    tools.on("Network.loadingFinished", end)
    tools.send("Network.enable")
    show()
    page.wait_for_load_state("networkidle")
    tools.detach()
    return ended
