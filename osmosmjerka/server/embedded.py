"""The embedded web server: waitress, which refuses requests that waited too long.

Waitress reads requests and writes responses of all connections in one thread; the other threads
answer requests. So a client that sends or reads slowly occupies a connection, but no thread.
"""

from __future__ import annotations

import heapq
import selectors
import socket
import threading
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from selectors import EVENT_READ, EVENT_WRITE
from time import monotonic
from typing import Any

from django.db import connections
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import BaseWSGIServer, MultiSocketServer, TcpWSGIServer
from waitress.task import ThreadedTaskDispatcher

from osmosmjerka.server import threads as turns
from osmosmjerka.server.threads import Turns
from osmosmjerka.web.overload import Patience, is_late

MOST_CONNECTIONS = 800  # with database and files below 1024, which a process may open by default
MOST_WAITING = 400

_OPTIONS = {
    "ident": "osmosmjerka",
    "connection_limit": MOST_CONNECTIONS + 100,  # only if all of them wait, no more are accepted
    "channel_timeout": 20,  # seconds; an idle browser opens another connection
    "cleanup_interval": 5,
}


class Threads(ThreadedTaskDispatcher):  # type: ignore[misc]  # a library without types
    """Threads that answer requests, and those that wait for one of them."""

    def handler_thread(self, number: int) -> None:
        try:
            super().handler_thread(number)
        finally:  # or they stay open until the process ends
            connections.close_all()


class Queue(Threads):
    """The requests that wait, for one thread, or for its helpers while it is busy for long.

    An additional thread answers health checks and refuses requests, even while all others are busy.
    """

    def __init__(self, threads: int) -> None:
        super().__init__()
        self.patience = Patience()
        self.turns = Turns(threads)
        self.helpers = Threads()
        self.express = Threads()
        self.set_thread_count(1)
        self.helpers.set_thread_count(threads - 1)
        self.express.set_thread_count(1)

    def add_task(self, channel: Channel) -> None:
        channel.queued_at = monotonic()
        if (
            getattr(channel.requests[0], "path", "") == "/healthz"
            or len(self.queue) >= MOST_WAITING
        ):
            self._hurry(channel)
        else:
            super().add_task(channel)

    def _hurry(self, channel: Channel) -> None:
        channel.is_hurried = True
        self.express.add_task(channel)

    def look_after(self) -> None:
        """Do something for those who wait, without waiting for a thread.

        Refuse the requests that have waited too long. Give the next one to a helper if those at
        work are busy for long.
        """
        while late := self._take(self._is_late):
            self._hurry(late)
        if self.queue and self.turns.take_help() and (first := self._take()):
            self.helpers.add_task(first)

    def _is_late(self, channel: Channel) -> bool:
        return not self.patience.covers(monotonic() - channel.queued_at)

    def _take(self, is_wanted: Callable[[Channel], bool] = lambda _channel: True) -> Channel | None:
        """Take the request that has waited longest out of the queue, if it is wanted."""
        with self.lock:
            if self.queue and is_wanted(self.queue[0]):
                first: Channel = self.queue.popleft()
                return first
        return None

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        self.express.shutdown(cancel_pending, timeout)
        self.helpers.shutdown(cancel_pending, timeout)
        return bool(super().shutdown(cancel_pending, timeout))


_served = threading.local()


class Channel(HTTPChannel):  # type: ignore[misc]
    """A connection."""

    server: Server
    queued_at = 0.0
    is_hurried = False  # a health check, which is never refused, or to be refused

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.useful_at = monotonic()

    def service(self) -> None:
        _served.by_this_thread = self
        if self.is_hurried:
            is_late.set(True)
            self.is_hurried = False
            super().service()
        else:
            queue = self.server.task_dispatcher
            queue.patience.begin(monotonic() - self.queued_at)
            with queue.turns.taken():
                super().service()
        self.useful_at = monotonic()

    def writable(self) -> bool:
        """Return whether the main loop has something to send, or to close.

        While a thread serves this connection, it sends what the client takes. Waitress would look
        again and again whether it has done so, and so take its processor time.
        """
        if self.requests and not self.will_close:
            return bool(self.total_outbufs_len > self.adj.outbuf_high_watermark)
        return bool(super().writable())

    def hang_up(self) -> None:
        """Let the main loop find this connection closed, even if the client reads nothing."""
        with suppress(OSError, AttributeError):  # it may have been closed just now
            self.socket.shutdown(socket.SHUT_RDWR)


class Sockets(dict[int, Any]):
    """The open sockets by their file number, and what the main loop waits for at each.

    Waitress asks every socket in each round of its loop, several times a request; with the 300
    connections of a school that took a seventh of the time in which Python code ran. Here a socket
    is asked again once something has happened to it: in the main loop, or in the thread that serves
    it.
    """

    servers: Sequence[Server] = ()

    def __init__(self) -> None:
        super().__init__()
        self.changed: deque[tuple[int, Any]] = deque()
        self._selector = selectors.DefaultSelector()
        self._awaited: dict[int, tuple[int, Any]] = {}

    def __setitem__(self, number: int, one: Any) -> None:
        super().__setitem__(number, one)
        self.changed.append((number, one))

    def __delitem__(self, number: int) -> None:
        super().__delitem__(number)
        self._wait_for(number, 0, None)

    def loop(self, timeout: float, **_options: Any) -> None:
        """Read and write what there is until no socket is left; the main loop of waitress."""
        while self:
            for server in self.servers:  # they look after the queue in each round
                self._ask(server._fileno, server)
            while self.changed:
                self._ask(*self.changed.popleft())
            does_wait = any(server.task_dispatcher.queue for server in self.servers)
            for key, events in self._selector.select(turns.LONG / 2 if does_wait else timeout):
                if events & EVENT_READ and self.get(key.fd) is key.data:
                    wasyncore.read(key.data)
                if events & EVENT_WRITE and self.get(key.fd) is key.data:
                    wasyncore.write(key.data)
                self._ask(key.fd, key.data)

    def _ask(self, number: int, one: Any) -> None:
        """Ask a socket what it waits for, unless it has been closed."""
        if number in self and self[number] is one:
            events = EVENT_READ if one.readable() else 0
            if one.writable() and not one.accepting:
                events |= EVENT_WRITE
            self._wait_for(number, events, one)

    def _wait_for(self, number: int, events: int, one: Any) -> None:
        if self._awaited.get(number, (0, None)) == (events, one):
            return
        if self._awaited.pop(number, None):
            self._selector.unregister(number)
        if events:
            self._selector.register(number, events, one)
            self._awaited[number] = (events, one)


class Server(TcpWSGIServer):  # type: ignore[misc]
    channel_class = Channel
    task_dispatcher: Queue
    sockets: Sockets

    def pull_trigger(self) -> None:
        """Wake the main loop, to look at the connection that this thread serves."""
        channel = _served.by_this_thread
        self.sockets.changed.append((channel._fileno, channel))
        super().pull_trigger()

    def readable(self) -> bool:
        """Look after the queue and the connections; the main loop calls this in each round."""
        self.task_dispatcher.look_after()
        if len(self.active_channels) >= MOST_CONNECTIONS:
            self._make_room()
        return bool(super().readable())

    def _make_room(self) -> None:
        """Close the connections that have been of no use for longest.

        Who sends a request byte by byte holds a connection, too, and is never idle.
        """
        unused = [channel for channel in [*self.active_channels.values()] if not channel.requests]
        for channel in heapq.nsmallest(
            MOST_CONNECTIONS // 10, unused, key=lambda one: one.useful_at
        ):
            channel.hang_up()

    def handle_accept(self) -> None:
        """Accept all who wait: a round takes long while there are many requests."""
        before = -1
        while before < len(self.active_channels) < MOST_CONNECTIONS:
            before = len(self.active_channels)
            super().handle_accept()

    def maintenance(self, now: float) -> None:
        """Close connections on which nothing happens, even those whose response is not read."""
        cutoff = now - self.adj.channel_timeout
        for channel in [*self.active_channels.values()]:
            is_waiting = channel.requests and not channel.total_outbufs_len
            if channel.last_activity < cutoff and not is_waiting:
                channel.hang_up()


def create_server(application: Any, **options: Any) -> BaseWSGIServer | MultiSocketServer:
    """Return a server that listens; the options are those of waitress."""
    adjustments = Adjustments(**_OPTIONS, **options)
    queue = Queue(adjustments.threads)
    sockets = Sockets()
    servers = [
        Server(application, sockets, dispatcher=queue, adj=adjustments, sockinfo=address)
        for address in adjustments.listen
    ]
    for server in servers:
        server.sockets = server.asyncore = sockets
    sockets.servers = servers
    if len(servers) == 1:
        return servers[0]
    listening = [(server.effective_host, server.effective_port) for server in servers]
    of_all = MultiSocketServer(sockets, adjustments, listening, queue, servers[0].log_info)
    of_all.asyncore = sockets
    return of_all
