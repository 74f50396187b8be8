"""The embedded web server works for who sends something, and with one thread while that will do."""

import socket
import threading
from collections import Counter
from contextlib import closing, contextmanager

import pytest

from osmosmjerka.server import threads as turns
from osmosmjerka.server.embedded import Channel, Queue, Sockets, create_server
from tests.services import wait_until

IDLE = 60
BIG = 30_000_000  # more than waitress keeps: the thread has to wait until the client has read


def application(environ, start_response):
    """Return what was sent, or as much as the path says."""
    body = environ["wsgi.input"].read() or b"x" * int(environ["PATH_INFO"][1:])
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@contextmanager
def running(application):
    """Run the server with two threads; yield it."""
    server = create_server(application, host="127.0.0.1", port=0, threads=2)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.task_dispatcher.shutdown()
        server.asyncore.clear()  # the loop ends with the last socket
        server.trigger._physical_pull()
        thread.join(10)
        assert not thread.is_alive()


@pytest.fixture
def port():
    with running(application) as server:
        yield server.effective_port


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=30)


def ask(connection, size=5):
    connection.sendall(b"GET /%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % size)
    return read(connection)


def read(connection):
    """Read a response; return its body."""
    with connection.makefile("rb") as stream:
        assert b" 200 " in stream.readline()
        length = 0
        while (line := stream.readline()) != b"\r\n":
            name, value = line.split(b":", 1)
            length = int(value) if name.lower() == b"content-length" else length
        return stream.read(length)


@pytest.fixture
def asked(monkeypatch):
    """Count how often connections are asked what they wait for, by their address."""
    counted = Counter()
    readable = Channel.readable

    def count(channel):
        counted[channel.addr] += 1
        return readable(channel)

    monkeypatch.setattr(Channel, "readable", count)
    return counted


def test_a_request_costs_the_same_beside_idle_connections(port, asked):
    idle = [connect(port) for _number in range(IDLE)]
    for connection in idle:
        assert ask(connection) == b"xxxxx"
    busy = connect(port)
    others = [connection.getsockname() for connection in idle]

    def is_quiet():
        asked.clear()
        ask(busy)
        return sum(asked[address] for address in others) == 0

    wait_until(is_quiet)  # the server has seen to what it answered last
    asked.clear()
    for _time in range(10):
        ask(busy)
    assert sum(asked[address] for address in others) == 0
    assert 10 <= asked[busy.getsockname()] <= 60
    for connection in idle:  # they are not forgotten
        assert ask(connection, 7) == b"xxxxxxx"
    for connection in (busy, *idle):
        connection.close()


def test_a_loop_that_asks_everybody_is_noticed(port, asked, monkeypatch):
    """The control of the test above: waitress's way."""
    select = Sockets._ask

    def ask_all(sockets, number, one):
        select(sockets, number, one)
        for each in [*sockets.items()]:
            select(sockets, *each)

    idle = [connect(port) for _number in range(IDLE)]
    for connection in idle:
        ask(connection)
    monkeypatch.setattr(Sockets, "_ask", ask_all)
    asked.clear()
    ask(idle[0])
    assert sum(asked[connection.getsockname()] for connection in idle[1:]) >= IDLE - 1
    for connection in idle:
        connection.close()


def test_a_large_response_reaches_a_client_that_reads_late(port):
    """The thread waits for the main loop, which waits for the client; others are answered."""
    slow, quick = connect(port), connect(port)
    slow.sendall(b"GET /%d HTTP/1.1\r\nHost: localhost\r\n\r\n" % BIG)
    assert ask(quick) == b"xxxxx"
    assert len(read(slow)) == BIG
    assert ask(slow) == b"xxxxx"
    slow.close()
    quick.close()


def test_requests_that_come_together_are_all_answered(port):
    connection = connect(port)
    connection.sendall(b"GET /3 HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3)
    with connection.makefile("rb") as stream:
        text = b""
        while text.count(b"xxx") < 3:
            text += stream.read1(1000)
    assert text.count(b"200 OK") == 3
    connection.close()


def test_a_body_that_comes_slowly_is_read(port):
    connection = connect(port)
    connection.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\n")
    for letter in (b"s", b"lo", b"wly"):
        connection.sendall(letter)
    assert read(connection) == b"slowly"
    connection.close()


class Counted:
    """An application that says which thread answered; requests for /0 wait until they may go on."""

    def __init__(self):
        self.may_go_on = threading.Semaphore(0)
        self.waiting = []

    def __call__(self, environ, start_response):
        name = str(threading.get_ident())  # threads of different pools have the same names
        if environ["PATH_INFO"] == "/0":
            self.waiting.append(name)
            assert self.may_go_on.acquire(timeout=30)
        start_response("200 OK", [("Content-Length", str(len(name)))])
        return [name.encode()]


@pytest.fixture
def threads():
    """A server that says which thread answered, with three connections to it."""
    counted = Counted()
    with running(counted) as server:
        counted.queue = server.task_dispatcher
        counted.wake = server.trigger.pull_trigger
        with (
            closing(connect(server.effective_port)) as first,
            closing(connect(server.effective_port)) as second,
            closing(connect(server.effective_port)) as third,
        ):
            counted.connections = first, second, third
            yield counted


def begin(connection, path):
    connection.sendall(b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % path)


def answering(threads):
    """Return the names of the threads that answer what comes on three connections at once."""
    names = set()
    for _time in range(20):
        for connection in threads.connections:
            begin(connection, b"now")
        names |= {read(connection) for connection in threads.connections}
    return names


def test_one_thread_answers_as_long_as_no_request_takes_long(threads, monkeypatch):
    monkeypatch.setattr(turns, "LONG", 60)
    assert len(answering(threads)) == 1


def test_threads_that_answer_at_once_are_noticed(threads, monkeypatch):
    """The control of the test above: others help at once."""
    monkeypatch.setattr(turns, "LONG", -1)
    wait_until(lambda: len(answering(threads)) > 1)


def test_a_long_request_keeps_nobody_waiting(threads):
    slow, quick, _third = threads.connections
    begin(slow, b"0")
    wait_until(lambda: threads.waiting)
    for _time in range(3):
        begin(quick, b"now")
        assert read(quick).decode() not in threads.waiting
    threads.may_go_on.release()
    assert read(slow).decode() == threads.waiting[0]


def test_without_help_a_long_request_would(threads, monkeypatch):
    """The control of the test above."""
    rounds = []
    look_after = Queue.look_after
    monkeypatch.setattr(turns, "LONG", 60)
    monkeypatch.setattr(
        Queue, "look_after", lambda queue: (look_after(queue), rounds.append(len(queue.queue)))
    )
    slow, quick, _third = threads.connections
    begin(slow, b"0")
    wait_until(lambda: threads.waiting)
    begin(quick, b"now")

    def is_left_waiting():
        threads.wake()
        return rounds[-5:] == [1] * 5

    wait_until(is_left_waiting)
    threads.may_go_on.release()
    for connection in (slow, quick):
        assert read(connection).decode() == threads.waiting[0]


def test_no_more_requests_are_answered_at_once_than_there_are_threads(threads):
    for connection in threads.connections:
        begin(connection, b"0")
    wait_until(lambda: len(threads.waiting) == 2)
    wait_until(lambda: len(threads.queue.queue) == 1)
    threads.may_go_on.release()
    wait_until(lambda: len(threads.waiting) == 3)  # the third begins when one of two has ended
    threads.may_go_on.release(2)
    for connection in threads.connections:
        assert read(connection)
