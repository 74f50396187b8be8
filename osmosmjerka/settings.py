"""Django settings: defaults that are safe on one machine, and variables for production.

No variable is required on one machine. An invalid value stops startup with its name and the reason.
docs/run/settings.md describes the variables.
"""

from __future__ import annotations

import os
import re
import secrets
import socket
from importlib.util import find_spec
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import dj_email_url  # type: ignore[import-untyped]
import django_stubs_ext
from django.utils.translation import gettext_lazy as _
from environs import Env, EnvError, ValidationError, validate

from osmosmjerka import __version__, paths
from osmosmjerka.monitoring import logs

django_stubs_ext.monkeypatch()

BASE_DIR = paths.PROGRAM

# The languages of the interface; docs/translating.md says what else one needs.
LANGUAGES = [
    ("en", _("English")),
    ("hr", _("Croatian")),
    ("pl", _("Polish")),
    ("de", _("German")),
    ("ar", _("Arabic")),
]

env = Env(eager=False)
if (paths.SITE / ".env").is_file():
    env.read_env(str(paths.SITE / ".env"))


@env.parser_for("hosts")
def _hosts(value: str) -> list[str]:
    hosts = [host.strip().lower() for host in value.split(",") if host.strip()]
    if not hosts:
        raise ValidationError("must name at least one host")
    for host in hosts:
        if host != "*" and not _is_host(host):
            better = _host_of(host)
            raise ValidationError(
                "must name hosts as browsers send them, without http://, port and path, separated"
                f" by commas. {host} is not like that" + (f"; write {better}" if better else "")
            )
    return hosts


def _is_host(host: str) -> bool:
    """Return whether a request could have this host, or one below it if it begins with a dot."""
    try:
        if host.startswith("["):
            return host == f"[{IPv6Address(host[1:-1])}]" and "%" not in host
        if host.rpartition(".")[2].isdecimal():
            return host == str(IPv4Address(host))
    except ValueError:
        return False
    labels = host.removeprefix(".").split(".")
    return all(re.fullmatch(r"(?!-)[a-z0-9-]{1,63}(?<!-)", label) for label in labels)


def _host_of(given: str) -> str:
    """Return the host that was meant by an address or a name in another form; "" if unknown."""
    try:
        host = f"[{IPv6Address(given)}]"
    except ValueError:
        try:
            rest = re.sub(r"^(\w+://|https?:)/*", "", given)
            host = (urlsplit(f"//{rest}").hostname or "").rstrip(".")
            if ":" in host:
                host = f"[{IPv6Address(host.partition('%')[0])}]"
            dot = "." if host.startswith(("*.", ".")) else ""
            bare = host.removeprefix("*").removeprefix(".")
            host = dot + bare.encode("idna").decode()
            if host.removeprefix(dot).encode().decode("idna") != bare:
                return ""  # browsers have another rule for such letters, as ß
        except ValueError:
            return ""
    return host if _is_host(host) else ""


def _address(value: str) -> None:
    """Refuse an address that is cut where a password has a sign that addresses need."""
    try:
        for one in value.split(";"):  # a broker may have several
            urlsplit(one).port  # noqa: B018  (raises if it is no number)
    except ValueError:
        is_cut = True
    else:
        is_cut = "#" in value
    if is_cut:
        raise ValidationError(
            "cannot be read. In a password, write # as %23, / as %2F, ? as %3F, : as %3A, @ as %40"
            " and [ as %5B"
        )


def _database(value: str) -> None:
    """Refuse other databases, and SQLite without a file: it would be in memory, and lost."""
    if value and not re.match(r"(sqlite|file|postgres|postgresql|pgsql):", value.lower()):
        raise ValidationError("must begin with sqlite:/// or postgres://")
    is_sqlite = value.lower().startswith(("sqlite", "file:"))
    if is_sqlite and not re.fullmatch(
        r"sqlite:///(?!/*:memory:)[^?#]*[^/.?#][^/?#]*(\?.*)?", value
    ):
        raise ValidationError(
            "must be like sqlite:///folder/file.sqlite3, with a fourth slash if the path begins"
            " with one"
        )


@env.parser_for("mail")
def _mail(value: str) -> dict[str, Any]:
    # Others call it smtp+tls if the encryption begins after a greeting (STARTTLS), and smtps if at
    # once. The library takes smtps for the former.
    url = re.sub(r"^smtp\+tls:", "submission:", value)
    is_smtps = bool(re.match(r"(smtps|smtp\+ssl):", url))
    url = re.sub(r"^(smtps|smtp\+ssl):", "smtp:", url)
    try:
        mail = dict(dj_email_url.parse(url))
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        mail = {}
    if "EMAIL_BACKEND" not in mail:
        raise ValidationError("must be like smtp://user:password@host:587 or console:")
    if is_smtps and not port:
        mail["EMAIL_PORT"] = 465
    # The port says how to speak on it (RFC 8314), unless the address says it.
    if parts.scheme == "smtp" and not {"tls", "ssl"} & parse_qs(parts.query).keys():
        mail["EMAIL_USE_TLS"] = mail["EMAIL_PORT"] == 587
        mail["EMAIL_USE_SSL"] = mail["EMAIL_PORT"] == 465 or (is_smtps and port != 587)
    return mail


@env.parser_for("time_zone")
def _time_zone(value: str) -> str:
    try:
        ZoneInfo(value)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValidationError("must be a time zone's name, such as Europe/Zagreb") from None
    return value


@env.parser_for("media")
def _media(value: str) -> dict[str, Any]:
    """Return the options of a bucket from its address; nothing for the data folder."""
    if not value:
        return {}
    address = urlsplit(value)
    asked = dict(parse_qsl(address.query, keep_blank_values=True))
    endpoint, region = asked.pop("endpoint", ""), asked.pop("region", "")
    # A forgotten credential here would be printed by a check or in a log.
    is_plain = not (address.username or address.port or address.fragment or asked)
    if address.scheme != "s3" or not address.hostname or not is_plain:
        raise ValidationError(
            "must be like s3://bucket/folder?endpoint=https://s3.example&region=eu-central-1;"
            " credentials are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"
        )
    if endpoint and not endpoint.startswith(("https://", "http://")):
        raise ValidationError("names an endpoint that does not begin with https:// or http://")
    if not find_spec("storages") or not find_spec("boto3"):
        raise ValidationError(
            "needs the extra s3: .venv/bin/python -m pip install 'django-storages[s3]'"
        )
    return {
        "bucket_name": address.netloc,
        "location": address.path.strip("/"),
        "endpoint_url": endpoint or None,
        "region_name": region or None,
    }


SHORTEST_KEY = 32


def _long_enough(key: str) -> None:
    if len(key.strip()) < SHORTEST_KEY:
        raise ValidationError(
            f"must have at least {SHORTEST_KEY} characters; without it one is made"
        )


SHORTEST_TOKEN = 16


def _unguessable(token: str) -> None:
    if token and (len(token) < SHORTEST_TOKEN or not re.fullmatch(r"[!-~]+", token)):
        raise ValidationError(
            f"must have at least {SHORTEST_TOKEN} letters, digits or signs, without spaces"
        )


def _dsn(address: str) -> None:
    if address and not re.fullmatch(r"https?://[^/@\s]+@[^/@\s]+(/[^\s]*)?/\d+", address):
        raise ValidationError("must be like https://key@errors.example/1")


def _folder_or_nothing(path: str) -> None:
    if path and not Path(path).is_dir():
        raise ValidationError("must be a folder that exists")


def _file_or_nothing(path: str) -> None:
    if path and not Path(path).is_file():
        raise ValidationError("must be a file that exists")


def _make_folder(path: Path, variable: str) -> None:
    """Create the folder that *variable* names, for this account alone, or stop startup."""
    try:
        path.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise SystemExit(
            "A setting in the environment is wrong."
            f" {variable} needs the folder {path}, which cannot be made: {error.strerror}."
        ) from None


DATA_DIR = Path(env.str("OSMOSMJERKA_DATA_DIR", str(paths.SITE / "var")))
STATIC_DIR = env.str("OSMOSMJERKA_STATIC_DIR", "")
DEBUG = env.bool("DEBUG", False)
HTTPS = env.bool("OSMOSMJERKA_HTTPS", False)
HSTS_SUBDOMAINS = env.bool("OSMOSMJERKA_HSTS_SUBDOMAINS", False)
ALLOWED_HOSTS = env.hosts("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
env.str("DATABASE_URL", "", validate=[_address, _database])
DATABASE = env.dj_db_url("DATABASE_URL", f"sqlite:///{DATA_DIR / 'osmosmjerka.sqlite3'}")
MEDIA = env.media("OSMOSMJERKA_MEDIA_URL", "")
env.str("CACHE_URL", "", validate=_address)
CACHES: dict[str, dict[str, Any]] = {"default": env.dj_cache_url("CACHE_URL", "locmem://")}
BROKER = env.str(
    "CELERY_BROKER_URL",
    "memory://",
    validate=[
        validate.Regexp(
            r"^(memory|redis|rediss|amqp|amqps)://",
            error="must begin with memory://, redis://, rediss://, amqp:// or amqps://",
        ),
        _address,
    ],
)
CONFIGURED_SECRET_KEY = env.str("SECRET_KEY", "", validate=_long_enough)
TRUSTED_PROXY_COUNT = env.int("TRUSTED_PROXY_COUNT", 0, validate=validate.Range(min=0))
LOG_LEVEL = env.str(
    "LOG_LEVEL", "INFO", validate=validate.OneOf(["DEBUG", "INFO", "WARNING", "ERROR"])
)
LOG_FORMAT = env.str("LOG_FORMAT", "text", validate=validate.OneOf(["text", "json"]))
LOG_REQUESTS = env.bool("LOG_REQUESTS", False)
METRICS_TOKEN = env.str("OSMOSMJERKA_METRICS_TOKEN", "", validate=_unguessable)
SENTRY_DSN = env.str("SENTRY_DSN", "", validate=_dsn)
EMAIL = env.mail("EMAIL_URL", "console:")
# Seconds for each step of the conversation with the mail server.
EMAIL_TIMEOUT = env.int("EMAIL_TIMEOUT", 10, validate=validate.Range(min=1, max=120))
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "osmosmjerka@localhost")
LANGUAGE_CODE = env.str("LANGUAGE_CODE", "en", validate=validate.OneOf([*dict(LANGUAGES)]))
TIME_ZONE = env.time_zone("TIME_ZONE", "UTC")
JOB_LEASE_SECONDS = env.int("JOB_LEASE_SECONDS", 15, validate=validate.Range(min=1))
JOB_SWEEP_SECONDS = env.float("JOB_SWEEP_SECONDS", 2.0, validate=validate.Range(min=0.1))
TEACHER_IDLE_HOURS = env.int("OSMOSMJERKA_IDLE_HOURS", 8, validate=validate.Range(min=1))
# Requests that one token may make in a minute.
API_RATE = env.int("OSMOSMJERKA_API_RATE", 600, validate=validate.Range(min=1))
MAINTENANCE = env.str("OSMOSMJERKA_MAINTENANCE", "")
REGISTRATION = env.str(
    "OSMOSMJERKA_REGISTRATION",
    "invitation",
    validate=validate.OneOf(["open", "invitation", "closed"]),
)
# Who may open links to lists and puzzles: nobody, the site's teachers, everybody.
SHARE_LINKS = env.str(
    "OSMOSMJERKA_SHARE_LINKS",
    "colleagues",
    validate=validate.OneOf(["off", "colleagues", "public"]),
)
GTTS_ENABLED = env.bool("OSMOSMJERKA_GTTS", True)
GTTS_URL = env.str(
    "OSMOSMJERKA_GTTS_URL",
    "https://translate.google.{tld}",
    validate=validate.Regexp(r"^https?://", error="must begin with https:// or http://"),
)
# Read by osmosmjerka.paper, which does not know Django.
env.str("OSMOSMJERKA_PRINT_FONTS", "", validate=_folder_or_nothing)
XAPI_URL = env.str(
    "OSMOSMJERKA_XAPI_URL",
    "",
    validate=validate.Regexp(r"^(https?://.*)?$", error="must begin with https:// or http://"),
)
XAPI_KEY = env.str("OSMOSMJERKA_XAPI_KEY", "")
XAPI_SECRET = env.str("OSMOSMJERKA_XAPI_SECRET", "")
XAPI_SITE = env.str(
    "OSMOSMJERKA_XAPI_SITE",
    f"http{'s' if HTTPS else ''}://{ALLOWED_HOSTS[0].lstrip('.')}/" if ALLOWED_HOSTS else "",
    validate=validate.Regexp(r"^https?://.+", error="must begin with https:// or http://"),
)
# Hosts, with a port unless it is 443, to which schools may send events. None: no webhooks at all.
WEBHOOK_HOSTS: list[str] = env.list("OSMOSMJERKA_WEBHOOK_HOSTS", [])
WEBHOOK_PRIVATE = env.bool("OSMOSMJERKA_WEBHOOK_PRIVATE", False)
WEBHOOK_CA = env.str("OSMOSMJERKA_WEBHOOK_CA", "", validate=_file_or_nothing)

# Learning platforms and sign-in services are asked by https only; tests have some on this computer
# without.
HTTP_HERE = False

# One sign-in service (OpenID Connect) for the whole site; schools add theirs on their page.
SIGN_ON_ISSUER = env.str(
    "OSMOSMJERKA_SIGN_ON_ISSUER",
    "",
    validate=validate.Regexp(r"^(https://.*)?$", error="must begin with https://"),
)
SIGN_ON_CLIENT_ID = env.str("OSMOSMJERKA_SIGN_ON_CLIENT_ID", "")
SIGN_ON_SECRET = env.str("OSMOSMJERKA_SIGN_ON_SECRET", "")
SIGN_ON_NAME = env.str("OSMOSMJERKA_SIGN_ON_NAME", "")
SIGN_ON_TENANT = env.str("OSMOSMJERKA_SIGN_ON_TENANT", "")
SIGN_ON_EMAIL_DOMAIN = env.str("OSMOSMJERKA_SIGN_ON_EMAIL_DOMAIN", "")

try:
    env.seal()
except EnvError as error:
    raise SystemExit(f"A setting in the environment is wrong. {error}") from None

_make_folder(DATA_DIR, "OSMOSMJERKA_DATA_DIR")


def _secret_key() -> str:
    """Return the configured key, or one that is generated once and stored beside the database."""
    if CONFIGURED_SECRET_KEY:
        return CONFIGURED_SECRET_KEY
    path = DATA_DIR / "secret_key"
    try:
        if not path.is_file():
            _write_once(path, secrets.token_urlsafe(64))
        key = path.read_text(encoding="ascii", errors="replace").strip()
    except OSError as error:
        raise SystemExit(
            "A setting in the environment is wrong. OSMOSMJERKA_DATA_DIR is"
            f" {DATA_DIR}, whose file secret_key cannot be written or read: {error.strerror}."
        ) from None
    if len(key) < SHORTEST_KEY:
        raise SystemExit(
            f"The file {path} is damaged: its key is too short. Restore it from a backup. Without"
            " one, delete it: a new key is made, with which everybody has to log in again, and"
            " login cards have to be printed again."
        )
    return key


def _write_once(path: Path, text: str) -> None:
    """Write a private file, whole or not at all; of several processes, one wins."""
    with NamedTemporaryFile("w", dir=path.parent, prefix=f".{path.name}-", delete=False) as file:
        file.write(text)  # the module creates it for its owner only
        file.flush()
        os.fsync(file.fileno())
    try:
        # Unlike renaming, this does not replace what another process has just written.
        path.hardlink_to(file.name)
    except FileExistsError:
        pass
    except OSError:  # a file system without links
        Path(file.name).replace(path)
    Path(file.name).unlink(missing_ok=True)


SECRET_KEY = _secret_key()

INSTALLED_APPS = [
    "django.forms",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "osmosmjerka.assets.apps.OurStaticFilesConfig",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_otp",
    "django_otp.plugins.otp_static",
    "django_otp.plugins.otp_totp",
    "csp",
    "osmosmjerka",
    "osmosmjerka.accounts",
    "osmosmjerka.jobs",
    "vocab",
    "puzzles",
]

MIDDLEWARE = [
    "osmosmjerka.web.middleware.RequestIdMiddleware",
    # Above what answers by itself, so that health checks and static files have its headers, too.
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    # Above what refuses, to count that, and above what needs a database.
    "osmosmjerka.status.metrics_middleware.MetricsMiddleware",
    "osmosmjerka.web.outages.OverloadMiddleware",
    "osmosmjerka.status.health.HealthMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "osmosmjerka.web.maintenance.MaintenanceMiddleware",
    "osmosmjerka.assets.script_texts.ScriptTextsMiddleware",
    "osmosmjerka.assets.offline.WorkerMiddleware",
    # Above what needs the database, but for the health.
    "osmosmjerka.web.outages.OutageMiddleware",
    # Above the session, which would cost each of hundreds of devices a query a second.
    "puzzles.live.polling.PollingMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "osmosmjerka.accounts.auth.sessions.AuthenticationMiddleware",
    "osmosmjerka.accounts.languages.LanguageMiddleware",
    # After the language, in which they refuse; nothing before them reads the body.
    "osmosmjerka.web.middleware.HttpsOnlyForProgramsMiddleware",
    "osmosmjerka.web.middleware.BodyLimitMiddleware",
    "osmosmjerka.accounts.privacy.impersonation.ImpersonationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "osmosmjerka.accounts.privacy.private_pages.PrivatePagesMiddleware",
]

# In development, if the dev extra is installed, warn of queries that run once per row.
if DEBUG and find_spec("zeal"):
    INSTALLED_APPS.append("zeal")
    MIDDLEWARE.append("zeal.middleware.zeal_middleware")
    ZEAL_RAISE = False

ROOT_URLCONF = "osmosmjerka.urls"
WSGI_APPLICATION = "osmosmjerka.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"

# Data ------------------------------------------------------------------------------------

DATABASES: dict[str, dict[str, Any]] = {"default": dict(DATABASE)}
DATABASES["default"] |= {"CONN_HEALTH_CHECKS": True, "CONN_MAX_AGE": 600}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    _make_folder(Path(DATABASES["default"]["NAME"]).parent, "DATABASE_URL")
    DATABASES["default"] |= {
        # For several writers: take the write lock at BEGIN, wait for it, and let readers continue.
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
            " PRAGMA temp_store=MEMORY; PRAGMA cache_size=-32000;"
            # Overwrite deleted data, so that a copied file does not contain it.
            " PRAGMA secure_delete=ON;",
        },
        # A file, not memory: the browser tests' server and worker are other threads.
        "TEST": {"NAME": str(DATA_DIR / "test.sqlite3")},
    }
elif DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql":
    DATABASES["default"] |= {
        "OPTIONS": {
            # PostgreSQL plans a statement once, without its values.
            "server_side_binding": True,
            "prepare_threshold": 2,
            "connect_timeout": 2,
            # A server whose machine is gone is noticed within some seconds.
            "keepalives_idle": 30,
            "keepalives_interval": 10,
            "keepalives_count": 3,
            "tcp_user_timeout": 5_000,
            **DATABASES["default"].get("OPTIONS", {}),
        },
    }

if CACHES["default"]["BACKEND"] == "django.core.cache.backends.locmem.LocMemCache":
    # Each token that is used takes an entry: they must not drive out used challenges of passkeys.
    CACHES["default"]["OPTIONS"] = {"MAX_ENTRIES": 20_000}

if CACHES["default"]["BACKEND"] == "django.core.cache.backends.redis.RedisCache":
    from redis.backoff import NoBackoff
    from redis.retry import Retry

    # A cache that hangs is away: a page waits a second for it, and not for its client's retries.
    CACHES["default"]["OPTIONS"] = {
        "socket_timeout": 1,
        "socket_connect_timeout": 1,
        "retry": Retry(NoBackoff(), 0),
        **CACHES["default"].get("OPTIONS", {}),
    }

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
MEDIA_ROOT = DATA_DIR / "media"

# People ----------------------------------------------------------------------------------

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = ["osmosmjerka.accounts.auth.backends.PasswordBackend"]
OTP_TOTP_ISSUER = "Osmosmjerka"
OTP_ADMIN_HIDE_SENSITIVE_DATA = True
SESSION_ENGINE = "osmosmjerka.accounts.auth.sessions"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["username", "display_name", "email"]},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "osmosmjerka.accounts.fields.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]

# Background work -------------------------------------------------------------------------

CELERY_BROKER_URL = BROKER
CELERY_TASK_IGNORE_RESULT = True  # results are in the job's row
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_DEFAULT_QUEUE = "default"
# A worker whose broker was away for an hour must not have given up.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# A request that asks for a job waits no longer than this for a broker that hangs, and tries once:
# what the broker does not take, the sweeper sends; see jobs.sending.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_CONNECTION_TIMEOUT = 3
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = {"max_retries": 0, "interval_start": 0}
if BROKER.startswith("redis"):
    CELERY_BROKER_TRANSPORT_OPTIONS |= {"socket_timeout": 3, "socket_connect_timeout": 3}

# Metrics ----------------------------------------------------------------------------------

# The processes of a machine add up what they count; machines may share the data folder.
METRICS_DIR = DATA_DIR / "metrics" / socket.gethostname()
if METRICS_TOKEN:
    _make_folder(METRICS_DIR, "OSMOSMJERKA_DATA_DIR")
    # The library looks where it counts as it is imported, which settings are before.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(METRICS_DIR)

# Languages -------------------------------------------------------------------------------

USE_I18N = True
USE_TZ = True
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "osmosmjerka.i18n.formats"

# Files -----------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = Path(STATIC_DIR) if STATIC_DIR else DATA_DIR / "static"
STORAGES = {
    "default": (
        {"BACKEND": "osmosmjerka.storage.bucket.MediaBucket", "OPTIONS": MEDIA}
        if MEDIA
        else {"BACKEND": "osmosmjerka.storage.media.MediaFolder"}
    ),
    "staticfiles": {"BACKEND": "osmosmjerka.assets.storage.ModuleManifestStorage"},
}
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False  # only our own pages load our files

# Security --------------------------------------------------------------------------------

CSRF_FAILURE_VIEW = "osmosmjerka.web.views.form_refused"
CSRF_TRUSTED_ORIGINS = (
    [f"https://{host.lstrip('.')}" for host in ALLOWED_HOSTS if host != "*"] if HTTPS else []
)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
# The API refuses plain HTTP, see osmosmjerka.web.middleware.HttpsOnlyForProgramsMiddleware.
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$", r"^api/."]
# Browsers accept a cookie of this name from this very host over HTTPS only, so that no other site
# of the domain, and nobody on the network, can replace it. It needs the path "/".
COOKIE_PREFIX = "__Host-" if HTTPS else ""
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
LANGUAGE_COOKIE_NAME = f"{COOKIE_PREFIX}django_language"
SESSION_COOKIE_HTTPONLY = True
# Django's default for this one cookie is to send it with requests from other sites, too.
LANGUAGE_COOKIE_SECURE, LANGUAGE_COOKIE_SAMESITE, LANGUAGE_COOKIE_HTTPONLY = HTTPS, "Lax", True
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS and HSTS_SUBDOMAINS
# Subdomains may be other people's sites, some without HTTPS. Leaving them out is a choice that the
# deployment check (W005: include subdomains, W021: preload) need not warn of.
SILENCED_SYSTEM_CHECKS = [] if HSTS_SUBDOMAINS else ["security.W005", "security.W021"]
if TRUSTED_PROXY_COUNT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "media-src": ["'self'", "blob:"],
        "worker-src": ["'self'"],
        "manifest-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
    }
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
# The results of 35 students who missed each of 200 words on paper.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

# E-mail (teachers only; students have none) ----------------------------------------------

EMAIL_BACKEND = EMAIL["EMAIL_BACKEND"]
EMAIL_HOST = EMAIL["EMAIL_HOST"]
EMAIL_PORT = EMAIL["EMAIL_PORT"]
EMAIL_HOST_USER = EMAIL["EMAIL_HOST_USER"]
EMAIL_HOST_PASSWORD = EMAIL["EMAIL_HOST_PASSWORD"]
EMAIL_USE_TLS = EMAIL["EMAIL_USE_TLS"]
EMAIL_USE_SSL = EMAIL["EMAIL_USE_SSL"]

# API -------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        # The first class's challenge makes the response to an unknown caller 401.
        "osmosmjerka.accounts.auth.api_authentication.TokenAuthentication",
        "osmosmjerka.accounts.auth.api_authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["osmosmjerka.rest.requests.PlainJSONParser"],
    "DEFAULT_THROTTLE_CLASSES": ["osmosmjerka.rest.throttling.TokenThrottle"],
    "DEFAULT_PAGINATION_CLASS": "osmosmjerka.rest.pagination.Pages",
    "PAGE_SIZE": 100,
    "EXCEPTION_HANDLER": "osmosmjerka.rest.requests.handle_exception",
    "DEFAULT_SCHEMA_CLASS": "osmosmjerka.rest.schema.Schema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Osmosmjerka",
    "DESCRIPTION": (
        "Schools, classes and people, vocabulary lists, puzzles created from them, and playing"
        " these puzzles.\n\n"
        "Log in at `/api/token/` and send `Authorization: Token …`. Requests are JSON; a field or"
        " a parameter that is not described is refused. Long lists come in pages: ask for"
        " `page` and `page_size`, or follow `next`. How many requests the token may make in a"
        " minute, and has left, is told by the headers `RateLimit-Limit`, `RateLimit-Remaining` and"
        " `RateLimit-Reset` (seconds).\n\n"
        "What takes long, as creating a puzzle, is answered with 202; repeat the request that reads"
        " it until its `state` tells that it is ready.\n\n"
        "Every error is problem details (RFC 9457): `detail` is a sentence for people, `code` is"
        " for programs, and `errors` names the single values that are invalid."
    ),
    "VERSION": __version__,
    "OAS_VERSION": "3.1.0",
    "COMPONENT_SPLIT_REQUEST": True,
    "ENUM_NAME_OVERRIDES": {
        "AssignmentState": "puzzles.models.Assignment.State",
        "Counting": "puzzles.models.Assignment.Counting",
        "GameMode": "puzzles.models.LiveGame.Mode",
        "GameState": "puzzles.models.LiveGame.State",
        "GameOrder": "puzzles.live.serializers.ORDERS",
        "RosterState": "osmosmjerka.accounts.models.RosterImport.State",
        "Direction": ["ltr", "rtl"],
        "WordDirection": ["across", "down"],
        "AskedBy": "puzzles.practice.api.MODES",
        "HintKind": "puzzles.play.serializers.HINT_KINDS",
        "LetterVerdict": "puzzles.practice.api.VERDICTS",
        "SoundEngine": "vocab.models.Pronunciation.Engine",
        "SpokenEngine": "vocab.sounds.api.ENGINES",
        "SoundSpeed": "vocab.models.Pronunciation.Speed",
        "SampleLanguage": "vocab.lists.api.SAMPLE_LANGUAGES",
        "PuzzleKind": "puzzles.kinds.KIND_CHOICES",
        "PuzzleState": "puzzles.models.Puzzle.State",
        "ClassRole": "osmosmjerka.accounts.models.Membership.Role",
        "ClassTeacherRole": "osmosmjerka.accounts.classrooms.services.TEACHERS",
        "SchoolRole": "osmosmjerka.accounts.models.User.Role",
        "SchoolTeacherRole": "osmosmjerka.accounts.schools.api.SCHOOL_ROLES",
        "InvitedAs": "osmosmjerka.accounts.schools.api.INVITED_AS",
        "InterfaceLanguage": "osmosmjerka.settings.LANGUAGES",
        "AssignmentStatus": "puzzles.assignments.api.STATUSES",
        "LessonState": "puzzles.lessons.api.STATES",
        "LinkLasting": "puzzles.sharing.link_api.LASTING",
        "LessonReason": "puzzles.lessons.api.REASONS",
    },
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
}

# Logs ------------------------------------------------------------------------------------

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": logs.FILTERS,
    "formatters": logs.FORMATTERS,
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["request_id"],
        }
    },
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        "django.request": {"filters": ["refusals", "one_line"]},
        **{f"django.security.{error}": {"filters": ["one_line"]} for error in logs.OF_STRANGERS},
        "django.server": {"handlers": ["console"], "propagate": False},
        "celery": {"level": "WARNING"},
        "kombu": {"level": "ERROR"},
        "fido2": {"level": "WARNING"},  # it logs which passkey logged in
        # A line for each request that waits; osmosmjerka.server.admission logs when it is too many.
        "waitress.queue": {"level": "ERROR"},
    },
}

if LOG_FORMAT == "json":
    logs.log_everything()

# Reports of errors -----------------------------------------------------------------------

if SENTRY_DSN:
    from osmosmjerka.monitoring import error_reports

    error_reports.start(SENTRY_DSN)
