"""Who may ask every address of the site, and what a right request there holds.

To add an address, add its row to TABLE. The route is written as in urls.py, with its parameters by
their names only: "lists/<pk>/copy/". A row says for each method who may; who is not named is
refused, and a method that is not named is refused to everybody:

    "lists/<pk>/copy/": {"POST": READ},

Who: one of the people below, or sets of them joined by | and taken apart by -. To be refused is
to be sent to the log-in page, or to get 400, 401, 403, 404 or 405, with nothing written and
nothing told. To be let in is any other answer, so a row that lets somebody POST wants a body in
BODIES that is right (several in a list are all tried), each made from the `tests.accounts.house`
of a school. The same bodies, with every id in them swapped for a foreign one and with fields that
nobody asked for, are tried in test_foreign_ids.py; that needs nothing more than the row.

A parameter is filled from PARAMETERS, by its name or by the beginning of the route and its name.
"""

from uuid import UUID, uuid4

from django.utils import timezone

from osmosmjerka.accounts.classrooms import roster_imports, school_imports
from osmosmjerka.jobs.models import Job
from puzzles.goals.services import OFFERED
from puzzles.imports.readers import read
from puzzles.imports.services import Preview
from puzzles.practice import quiz
from puzzles.practice.matching import Game
from puzzles.practice.picked import Picked
from puzzles.withheld import withheld_words
from tests.accounts.house import (
    ATTEMPT,
    launched,
    picture_file,
    puzzle_file,
    school_zip_file,
    sound_file,
)
from tests.conftest import PASSWORD
from vocab.imports.forms import ReadingForm
from vocab.memory import reviews

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")

# People, by what they are to the class, the list and the puzzle of the house.
ANYBODY = "anonymous"
STUDENT = "student"
OTHER = "student of another class"
FOREIGN = "student of another school"
OWNER = "teacher"  # owner of the class, the list and the puzzles
CO = "co-teacher"
LAUNCHED = "co-teacher who came from a learning platform"
VIEWER = "viewer"
SUBSTITUTE = "substitute"  # whose last day is today
FORMER = "former substitute"  # whose last day was yesterday
GUEST = "teacher who may edit the list"  # and has nothing to do with the class
COLLEAGUE = "teacher of another class"
STRANGER = "teacher of another school"
ADMIN = "school admin"
OTHER_ADMIN = "school admin of another school"
SITE = "site admin"

STUDENTS = {STUDENT, OTHER, FOREIGN}
TEACHERS = {
    OWNER,
    CO,
    LAUNCHED,
    VIEWER,
    SUBSTITUTE,
    FORMER,
    GUEST,
    COLLEAGUE,
    STRANGER,
    ADMIN,
    OTHER_ADMIN,
    SITE,
}
SIGNED_IN = STUDENTS | TEACHERS
ALL = SIGNED_IN | {ANYBODY}
FOLLOW = {OWNER, CO, LAUNCHED, VIEWER, SUBSTITUTE, ADMIN, SITE}  # who may see how the class does
MANAGE = {OWNER, CO, LAUNCHED, ADMIN, SITE}  # who may change it and its students
ARCHIVE = {OWNER, ADMIN, SITE}
LEAD = {OWNER, CO, LAUNCHED, SUBSTITUTE, SITE}  # who may play a game with it
MAKER = {OWNER, SITE}  # who may share the list, or change a puzzle
EDIT = MAKER | {GUEST}  # who may change the list, which is private
READ = EDIT | {ADMIN}
DELETE = MAKER | {ADMIN}
PLAY = FOLLOW | {STUDENT, GUEST}
PUPIL = {STUDENT, SITE}  # who may do what students of the class do
BLOCK = TEACHERS - {STRANGER, OTHER_ADMIN}  # the teachers of the school, for its blocked words
NOBODY: set[str] = set()

ANY_METHOD = dict.fromkeys(METHODS, ALL)  # only a right POST changes something

TABLE: dict[str, dict[str, set[str]]] = {
    # machines
    "api/": {"GET": ALL},
    "api/schema/": {"GET": ALL},
    "api/.*/": {},  # what no other path of the API is
    "language/": ANY_METHOD,
    "manifest.webmanifest": {"GET": ALL},
    "offline/": {"GET": ALL},
    # help, for everybody
    "help/": {"GET": ALL},
    "help/<topic>/": {"GET": ALL},
    # the ways in and out
    "api/token/": {"POST": ALL},
    "api/tokens/": {"GET": SIGNED_IN, "POST": SIGNED_IN},
    "api/tokens/current/": {"DELETE": NOBODY},  # of a session, there is none
    "api/tokens/<pk>/": {"DELETE": {OWNER}},
    "login/": ANY_METHOD,
    "login/code/": {"GET": NOBODY},  # only after a right password
    "login/passkey/": {"POST": NOBODY},  # only with a passkey's answer
    "login/passkey/options/": {"POST": ALL},
    "login/with/<provider>/": {"GET": ALL},  # this service does not answer
    "login/with/<provider>/back/": {"GET": ALL},
    "logout/": {"POST": ALL},
    "password/": {"GET": ALL, "POST": ALL, "PUT": ALL},
    "password/sent/": {"GET": ALL},
    "password/done/": {"GET": ALL},
    "password/<uidb64>/<token>/": ANY_METHOD,  # a used link says so
    "card/": {"GET": ALL, "POST": ALL},
    "join/": {"GET": ALL, "POST": ALL},
    "c/<code>/": {"GET": ALL, "POST": ALL},
    "c/<code>/join/": {"POST": ALL},
    "join/waiting/": {"GET": ALL, "POST": ALL},  # tells only who waits in this session
    "status/": {"GET": {SITE}},
    "status/mail/": {"POST": {SITE}},
    "status/jobs/<pk>/retry/": {"POST": {SITE}},
    "setup/": {},  # only while there is no site admin
    "signup/": {},  # closed unless a setting opens it
    "invitations/<token>/": {},  # no such invitation
    # one's own
    "": {"GET": ALL},  # for strangers, what this is
    "trial/summary/": {"GET": ALL},
    "api/trial/": {"GET": ALL},
    "api/trial/attempts/": {"POST": ALL},
    "api/trial/hint/": {"POST": ALL},
    "api/trial/finish/": {"POST": ALL},
    "first-steps/hide/": {"POST": TEACHERS},
    "me/data/": {"GET": SIGNED_IN, "POST": SIGNED_IN},
    "me/passkeys/": {"GET": TEACHERS},
    "me/passkeys/options/": {"POST": TEACHERS},
    "me/passkeys/new/": {"POST": NOBODY},  # only with a passkey that was just made
    "me/passkeys/<pk>/remove/": {"POST": {OWNER}},
    "me/account/": {"GET": TEACHERS, "POST": TEACHERS},
    "me/reading/": {"GET": SIGNED_IN, "POST": SIGNED_IN},
    "me/password/": {"GET": SIGNED_IN, "POST": SIGNED_IN},  # students who have one
    "me/devices/": {"GET": SIGNED_IN},
    "me/devices/end/": {"POST": SIGNED_IN},
    "me/devices/<pk>/end/": {"POST": {OWNER}},
    "me/tokens/": {"POST": SIGNED_IN},
    "me/tokens/<pk>/revoke/": {"POST": {OWNER}},
    "me/second-step/": {"GET": TEACHERS, "POST": TEACHERS},
    "view/stop/": {"POST": SIGNED_IN},
    "bin/": {"GET": TEACHERS},
    "bin/<section>/<pk>/restore/": {"POST": DELETE},
    "bin/<section>/<pk>/erase/": {"POST": ARCHIVE},
    "api/me/": {"GET": SIGNED_IN},
    "api/bin/": {"GET": TEACHERS},
    "api/bin/<section>/<pk>/restore/": {"POST": DELETE},
    "words/": {"GET": SIGNED_IN},
    "words/practise/": {"POST": STUDENTS},
    "words/cards/": {"GET": STUDENTS, "POST": {STUDENT}},
    "words/match/": {"GET": STUDENTS, "POST": {STUDENT}},
    "words/<pk>/": {"GET": {STUDENT}},
    "words/<pk>/picture/": {"GET": PUPIL},
    "progress/": {"GET": STUDENTS},
    "progress/goal/": {"POST": STUDENTS},
    "review/": {"GET": STUDENTS, "POST": {STUDENT}},
    "review/sound/<pk>/": {"GET": PUPIL},
    "practise/": {"POST": STUDENTS},
    "api/practice/": {"POST": {STUDENT}},
    "api/progress/": {"GET": STUDENTS},
    "api/goal/": {"GET": STUDENTS, "PUT": STUDENTS},
    "api/todo/": {"GET": STUDENTS},
    "api/review/": {"GET": STUDENTS, "POST": {STUDENT}},
    "api/review/undo/": {"POST": {STUDENT}},
    "api/review/sound/<pk>/": {"GET": {STUDENT}},
    "api/assignments/<pk>/play/": {"POST": {STUDENT}},
    # schools
    "schools/<pk>/": {"GET": {ADMIN, SITE}, "POST": {ADMIN, SITE}},
    "schools/<pk>/invite/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/invitations/<invitation>/withdraw/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/teachers/<teacher>/second-step/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/teachers/<teacher>/close/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/teachers/<teacher>/role/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/teachers/<teacher>/open/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/rosters/": {"GET": {ADMIN, SITE}, "POST": {ADMIN, SITE}},
    "schools/<pk>/rosters/<roster_pk>/": {"GET": {ADMIN, SITE}},
    "schools/<pk>/rosters/<roster_pk>/progress/": {"GET": {ADMIN, SITE}},
    "schools/<pk>/rosters/<roster_pk>/add/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/rosters/<roster_pk>/discard/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/rosters/<roster_pk>/undo/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/invite/<roster_line>/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/webhooks/": {"GET": {ADMIN, SITE}, "POST": {ADMIN, SITE}},
    "schools/<pk>/webhooks/<webhook>/test/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/webhooks/<webhook>/switch/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/webhooks/<webhook>/remove/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/webhooks/<webhook>/again/<delivery>/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/log/": {"GET": {ADMIN, SITE}},
    # learning platforms
    "schools/<pk>/platforms/": {"GET": {ADMIN, SITE}, "POST": {ADMIN, SITE}},
    "schools/<pk>/platforms/invite/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/platforms/<platform>/test/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/platforms/<platform>/switch/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/platforms/<platform>/remove/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/platforms/teachers/<linked>/unlink/": {"POST": {ADMIN, SITE}},
    # school accounts
    "me/school-accounts/": {"GET": SIGNED_IN},
    "me/school-accounts/<provider>/connect/": {
        "POST": SIGNED_IN - {FOREIGN, STRANGER, OTHER_ADMIN, SITE}
    },
    "me/school-accounts/<identity>/disconnect/": {"POST": {OWNER}},
    "schools/<pk>/sign-in/": {"GET": {ADMIN, SITE}, "POST": {ADMIN, SITE}},
    "schools/<pk>/sign-in/<provider>/": {"GET": {ADMIN, SITE}, "POST": {ADMIN, SITE}},
    "schools/<pk>/sign-in/<provider>/test/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/sign-in/<provider>/switch/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/sign-in/<provider>/remove/": {"POST": {ADMIN, SITE}},
    "schools/<pk>/sign-in/<provider>/people/<identity>/": {"POST": {ADMIN, SITE}},
    "lti/login/": {"GET": NOBODY, "POST": NOBODY},  # only from a platform
    "lti/launch/": {"POST": NOBODY},
    "lti/keys/": {"GET": ALL},
    "lti/register/<token>/": {"GET": NOBODY},  # no such token
    "lti/open/": {"GET": ALL},  # the home page, without a launch
    "lti/account/": {"GET": NOBODY, "POST": NOBODY},  # only after a launch
    "lti/go/": {"GET": {LAUNCHED}},
    "lti/class/": {"GET": {LAUNCHED}, "POST": {LAUNCHED}},
    "lti/choose/": {"GET": {LAUNCHED}, "POST": {LAUNCHED}},
    "lti/roster/": {"POST": NOBODY},  # this platform does not tell its students
    "api/schools/": {"GET": TEACHERS, "POST": {SITE}},  # who has no school
    "api/schools/<pk>/": {"GET": {ADMIN, SITE}, "PATCH": {ADMIN, SITE}},
    "api/schools/<pk>/teachers/": {"GET": {ADMIN, SITE}},
    "api/schools/<pk>/teachers/<teacher>/": {"PATCH": {ADMIN, SITE}},
    "api/schools/<pk>/teachers/<teacher>/two-step/": {"DELETE": {ADMIN, SITE}},
    "api/schools/<pk>/students/": {"GET": {ADMIN, SITE}},
    "api/schools/<pk>/invitations/": {"GET": {ADMIN, SITE}, "POST": {ADMIN, SITE}},
    "api/schools/<pk>/invitations/<invitation>/": {"DELETE": {ADMIN, SITE}},
    "api/schools/<pk>/log/": {"GET": {ADMIN, SITE}},
    "schools/<pk>/blocked-words/": {"GET": BLOCK, "POST": BLOCK},
    "schools/<pk>/blocked-words/strong/": {"POST": BLOCK},
    "schools/<pk>/blocked-words/<word>/remove/": {"POST": BLOCK},
    "api/schools/<pk>/blocked-words/": {"GET": BLOCK, "POST": BLOCK},
    "api/schools/<pk>/blocked-words/strong/": {"PATCH": BLOCK},
    "api/schools/<pk>/blocked-words/<word>/": {"DELETE": BLOCK},
    "school/": {"GET": TEACHERS},  # classes that one follows
    # a class and its people
    "classes/": {"GET": TEACHERS},
    "classes/new/": {"GET": TEACHERS, "POST": TEACHERS},
    "classes/<pk>/": {"GET": FOLLOW},
    "classes/<pk>/people/": {"GET": FOLLOW},
    "classes/<pk>/pupils/new/": {"GET": MANAGE, "POST": MANAGE},
    "classes/<pk>/pupils/paste/": {"GET": MANAGE, "POST": MANAGE},
    "classes/<pk>/pupils/paste/<roster_pk>/": {"GET": MANAGE},
    "classes/<pk>/pupils/paste/<roster_pk>/class/": {"POST": MANAGE},
    "classes/<pk>/pupils/paste/<roster_pk>/add/": {"POST": MANAGE},
    "classes/<pk>/pupils/paste/<roster_pk>/discard/": {"POST": MANAGE},
    "classes/<pk>/pupils/paste/<roster_pk>/undo/": {"POST": MANAGE},
    "classes/<pk>/pupils/waiting/": {"POST": MANAGE},
    "classes/<pk>/pupils/joined/": {"POST": MANAGE},
    "classes/<pk>/pupils/move/": {"POST": MANAGE},
    "classes/<pk>/cards/": {"POST": MANAGE},
    "classes/<pk>/change/": {"POST": MANAGE},
    "classes/<pk>/code/": {"POST": MANAGE},
    "classes/<pk>/archive/": {"POST": ARCHIVE},
    "classes/<pk>/restore/": {"POST": ARCHIVE},
    "classes/<pk>/delete/": {"POST": ARCHIVE},
    "classes/<pk>/keep/": {"POST": ARCHIVE},
    "classes/<pk>/members/<member>/remove/": {"POST": MANAGE},
    "classes/<pk>/members/<member>/role/": {"POST": ARCHIVE},
    "classes/<pk>/teachers/": {"POST": ARCHIVE},
    "classes/<pk>/invite/": {"POST": ARCHIVE},
    "classes/<pk>/invitations/<invitation>/withdraw/": {"POST": ARCHIVE},
    "pupils/<pk>/": {"GET": MANAGE},
    "pupils/<pk>/export/": {"POST": MANAGE},
    "pupils/<pk>/erase/": {"POST": MANAGE},
    "pupils/<pk>/merge/": {"POST": MANAGE},
    "pupils/<pk>/view/": {"POST": MANAGE},
    "pupils/<pk>/name/": {"POST": MANAGE},
    "pupils/<pk>/classes/": {"POST": MANAGE},
    "pupils/<pk>/password/": {"POST": MANAGE},
    "pupils/<pk>/password/remove/": {"POST": MANAGE},
    # how a class does, and what it is given
    "classes/<pk>/progress/": {"GET": FOLLOW},
    "classes/<pk>/progress.<file_format>": {"GET": FOLLOW},
    "classes/<pk>/assignments.<file_format>": {"GET": FOLLOW},
    "classes/<pk>/lesson/": {"GET": FOLLOW},
    "classes/<pk>/lesson/board/": {"GET": FOLLOW},
    "classes/<pk>/statements/": {"GET": FOLLOW},
    "classes/<pk>/pupils/<student_pk>/": {"GET": FOLLOW},
    "classes/<pk>/pupils/<student_pk>/words/<entry_pk>/": {"GET": FOLLOW},
    "classes/<pk>/words/<entry_pk>/": {"GET": FOLLOW},
    "classes/<pk>/words/<entry_pk>/picture/": {"GET": FOLLOW},
    "classes/<pk>/goal/": {"POST": MANAGE},
    "classes/<pk>/ranking/": {"POST": MANAGE},
    "classes/<pk>/nickname/": {"POST": {STUDENT}},
    "classes/<pk>/daily/": {"GET": FOLLOW | {STUDENT}, "POST": FOLLOW | {STUDENT}},
    "classes/<pk>/daily/switch/": {"POST": MANAGE},
    "classes/<pk>/complete/": {"POST": LEAD},
    "api/classes/<pk>/complete/": {"GET": FOLLOW, "PUT": LEAD},
    "classes/<pk>/games/new/": {"GET": LEAD, "POST": LEAD & READ},  # of the list
    "live/new/": {"GET": TEACHERS},
    "live/<code>/": {"GET": LEAD},
    "live/<code>/do/": {"POST": LEAD},
    "live/<code>/players/": {"GET": LEAD},
    "live/<code>/results/": {"GET": LEAD},
    "l/": {"GET": ALL, "POST": ALL},
    # Teachers are sent to the projector's page, and strangers are told how to log in.
    "l/<code>/": {"GET": ALL, "POST": ALL},
    # links for parents; who has one sees the page
    "classes/<pk>/parents/": {"GET": MANAGE},
    "classes/<pk>/parents/print/": {"POST": MANAGE},
    "classes/<pk>/parents/end/": {"POST": MANAGE},
    "p/<token>/": {"GET": ALL},
    # links to lists and puzzles; who has one must be a teacher of the site, as it is set
    "links/": {"GET": TEACHERS},
    "links/<pk>/end/": {"POST": {OWNER}},
    "lists/gallery/": {"GET": TEACHERS},
    "lists/<pk>/links/": {"GET": MAKER, "POST": MAKER},
    "puzzles/<code>/links/": {"GET": MAKER, "POST": MAKER},
    "s/<token>/": {"GET": TEACHERS},
    "s/<token>/summary/": {"GET": NOBODY},  # not before the end
    "s/<token>/words/<pk>/sound/": {"GET": TEACHERS},
    "s/<token>/file/": {"GET": TEACHERS},
    "s/<token>/copy/": {"POST": TEACHERS},
    "api/links/": {"GET": TEACHERS, "POST": MAKER},
    "api/links/<pk>/": {"DELETE": {OWNER}},
    "api/classes/<pk>/parents/": {"GET": MANAGE, "POST": MANAGE},
    "api/classes/<pk>/parents/<student>/": {"DELETE": MANAGE},
    "api/shared/<token>/": {"GET": TEACHERS},
    "api/shared/<token>/attempts/": {"POST": TEACHERS},
    "api/shared/<token>/hint/": {"POST": TEACHERS},
    "api/shared/<token>/finish/": {"POST": TEACHERS},
    "api/shared/<token>/sound/<slot>/": {"GET": NOBODY},  # of no word that is still to find
    "api/shared/<token>/picture/<slot>/": {"GET": NOBODY},
    "classes/<pk>/give/": {"POST": MANAGE},
    "assign/": {"GET": TEACHERS, "POST": READ},  # of the list; the form refuses other classes
    "classes/<pk>/assignments/<assignment_pk>/": {"GET": FOLLOW},
    "classes/<pk>/assignments/<assignment_pk>/edit/": {"GET": MANAGE, "POST": MANAGE},
    "classes/<pk>/assignments/<assignment_pk>/change/": {"POST": MANAGE},
    "api/classes/": {"GET": TEACHERS, "POST": TEACHERS - {SITE}},  # who has a school
    "api/classes/<pk>/": {"GET": FOLLOW, "PATCH": MANAGE, "DELETE": ARCHIVE},
    "api/classes/<pk>/archive/": {"POST": ARCHIVE},
    "api/classes/<pk>/restore/": {"POST": ARCHIVE},
    "api/classes/<pk>/next-year/": {"POST": ARCHIVE},
    "api/classes/<pk>/keep/": {"POST": ARCHIVE},
    "api/classes/<pk>/join-code/": {"POST": MANAGE},
    "api/classes/<pk>/students/": {"GET": FOLLOW, "POST": MANAGE},
    "api/classes/<pk>/students/move/": {"POST": MANAGE},
    "api/classes/<pk>/students/<student>/": {"PUT": MANAGE, "DELETE": MANAGE},
    "api/schools/<pk>/rosters/": {"GET": {ADMIN, SITE}, "POST": {ADMIN, SITE}},
    "api/schools/<pk>/rosters/<roster_pk>/": {
        "GET": {ADMIN, SITE},
        "POST": {ADMIN, SITE},
        "DELETE": {ADMIN, SITE},
    },
    "api/classes/<pk>/rosters/": {"GET": MANAGE},
    "api/classes/<pk>/rosters/<roster_pk>/": {"DELETE": MANAGE},
    "api/classes/<pk>/waiting/": {"GET": MANAGE},
    "api/classes/<pk>/waiting/accept/": {"POST": MANAGE},
    "api/classes/<pk>/waiting/refuse/": {"POST": MANAGE},
    "api/classes/<pk>/cards/": {"POST": MANAGE},
    "api/students/": {"POST": MANAGE},
    "api/students/<pk>/": {"GET": MANAGE, "PATCH": MANAGE, "DELETE": MANAGE},
    "api/students/<pk>/password/": {"PUT": MANAGE, "DELETE": MANAGE},
    "api/classes/<pk>/invitations/": {"GET": ARCHIVE, "POST": ARCHIVE},
    "api/classes/<pk>/invitations/<invitation>/": {"DELETE": ARCHIVE},
    "api/classes/<pk>/teachers/": {"GET": FOLLOW, "POST": ARCHIVE},
    "api/classes/<pk>/teachers/<teacher>/": {"PUT": ARCHIVE, "DELETE": MANAGE},  # oneself
    "api/classes/<pk>/progress/": {"GET": FOLLOW},
    "api/classes/<pk>/daily/": {"GET": FOLLOW | {STUDENT}, "POST": FOLLOW | {STUDENT}},
    "api/classes/<pk>/daily/switch/": {"PUT": MANAGE},
    "api/classes/<pk>/goal/": {"GET": FOLLOW | {STUDENT}, "PUT": MANAGE, "DELETE": MANAGE},
    "api/classes/<pk>/ranking/": {"GET": FOLLOW | {STUDENT}, "PUT": MANAGE},
    "api/classes/<pk>/nickname/": {"PUT": {STUDENT}, "DELETE": {STUDENT}},
    "api/classes/<pk>/lesson/": {"GET": FOLLOW},
    "api/classes/<pk>/statements/": {"GET": FOLLOW},
    "api/classes/<pk>/assignments/": {"GET": FOLLOW, "POST": DELETE},  # the class and the list
    "api/classes/<pk>/path/": {"POST": DELETE},  # the class and the list
    "api/assignments/": {"GET": SIGNED_IN},
    "api/assignments/<pk>/": {"GET": FOLLOW, "PATCH": MANAGE},
    "api/assignments/<pk>/close/": {"POST": MANAGE},
    "api/assignments/<pk>/archive/": {"POST": MANAGE},
    "api/assignments/<pk>/restore/": {"POST": MANAGE},
    "api/assignments/<pk>/preview/": {"GET": MANAGE},
    # lists
    "lists/": {"GET": TEACHERS},
    "lists/new/": {"GET": TEACHERS, "POST": TEACHERS},
    "lists/samples/": {"GET": TEACHERS, "POST": TEACHERS},
    "lists/preview/": {"POST": TEACHERS},
    "lists/<pk>/": {"GET": READ, "POST": EDIT},
    "lists/<pk>/bulk/": {"POST": EDIT},
    "lists/<pk>/bulk/<edit_pk>/undo/": {"POST": EDIT},
    "lists/<pk>/copy/": {"POST": READ},
    "lists/<pk>/preview/": {"POST": EDIT},
    "lists/<pk>/playing/": {"POST": MAKER},
    "lists/<pk>/delete/": {"POST": DELETE},
    "lists/<pk>/entries/": {"POST": EDIT},
    "lists/<pk>/export/<format>/": {"GET": READ},
    "lists/<pk>/import/": {"GET": EDIT, "POST": EDIT},
    "lists/<pk>/print/": {"GET": READ},
    "lists/<pk>/print/file/": {"GET": READ},
    "lists/<pk>/pull/": {"POST": EDIT},
    "lists/<pk>/settings/": {"GET": MAKER, "POST": MAKER},
    "lists/<pk>/share/": {"POST": MAKER},
    "lists/<pk>/unshare/<teacher>/": {"POST": MAKER},
    "lists/<pk>/sounds/": {"GET": READ},
    "lists/<pk>/voice/": {"GET": EDIT, "POST": EDIT},
    "lists/<pk>/voice/anew/": {"POST": EDIT},
    "entries/<pk>/": {"GET": READ},
    "entries/<pk>/edit/": {"GET": EDIT, "POST": EDIT},
    "entries/<pk>/same-word/": {"POST": EDIT},
    "entries/<pk>/place/": {"POST": EDIT},
    "entries/<pk>/sound/": {"GET": READ, "POST": EDIT},
    "entries/<pk>/sound/<speed>/": {"GET": READ},
    "entries/<pk>/picture/": {"GET": READ, "POST": EDIT},
    "entries/<pk>/file/<name>/": {"GET": READ},
    "imports/<pk>/": {"GET": EDIT},
    "imports/<pk>/apply/": {"POST": EDIT},
    "imports/<pk>/discard/": {"POST": EDIT},
    "imports/<pk>/progress/": {"GET": EDIT},
    "imports/<pk>/settings/": {"POST": EDIT},
    "imports/<pk>/undo/": {"POST": EDIT},
    "api/lists/": {"GET": SIGNED_IN, "POST": TEACHERS},
    "api/lists/samples/": {"GET": TEACHERS, "POST": TEACHERS},
    "api/lists/<pk>/": {"GET": READ, "PATCH": MAKER, "DELETE": DELETE},
    "api/lists/<pk>/import/": {"POST": EDIT},
    "api/lists/<pk>/export/<kind>/": {"GET": READ},
    "api/lists/<pk>/bulk/": {"POST": EDIT},
    "api/lists/<pk>/bulk/<edit_pk>/undo/": {"POST": EDIT},
    "api/lists/<pk>/entries/": {"GET": READ, "POST": EDIT},
    "api/lists/<pk>/copy/": {"POST": READ},
    "api/lists/<pk>/pull/": {"POST": EDIT},
    "api/lists/<pk>/shares/": {"GET": MAKER, "POST": MAKER},
    "api/lists/<pk>/shares/<teacher>/": {"DELETE": MAKER},
    "api/lists/<pk>/voice/": {"GET": READ, "PATCH": EDIT},
    "api/lists/<pk>/voice/anew/": {"POST": EDIT},
    "api/entries/<pk>/": {"GET": READ, "PATCH": EDIT, "DELETE": EDIT},
    "api/entries/<pk>/picture/": {"GET": READ, "PUT": EDIT, "DELETE": EDIT},
    "api/entries/<pk>/place/": {"POST": EDIT},
    "api/entries/<pk>/sounds/": {"GET": READ},
    "api/entries/<pk>/sounds/<speed>/": {"GET": READ},
    "api/entries/<pk>/sounds/anew/": {"POST": EDIT},
    "api/entries/<pk>/sounds/engine/": {"PUT": EDIT},
    "api/entries/<pk>/sounds/own/": {"POST": EDIT},
    "api/imports/<pk>/": {"GET": EDIT, "DELETE": EDIT},
    "api/imports/<pk>/apply/": {"POST": EDIT},
    "api/imports/<pk>/undo/": {"POST": EDIT},
    # puzzles
    "puzzles/import/": {"GET": TEACHERS, "POST": TEACHERS},
    "puzzles/import/save/": {"POST": TEACHERS},
    "puzzles/<code>/": {"GET": FOLLOW},
    "puzzles/<code>/progress/": {"GET": FOLLOW},
    "puzzles/<code>/download/<format_name>/": {"GET": FOLLOW},
    "puzzles/<code>/print/": {"GET": FOLLOW},
    "puzzles/<code>/print/preview/": {"GET": FOLLOW},
    "puzzles/<code>/print/set/": {"POST": FOLLOW},
    "puzzles/<code>/results/": {"GET": FOLLOW, "POST": MANAGE},
    "worksheets/<pk>/": {"GET": {OWNER}},  # whoever made them
    "worksheets/<pk>/<which>.pdf": {"GET": {OWNER}},
    "worksheets/<pk>/delete/": {"POST": {OWNER}},
    "puzzles/<code>/delete/": {"POST": MAKER},
    "puzzles/<code>/rename/": {"POST": MAKER},
    "puzzles/<code>/fewer/": {"POST": MAKER},
    "puzzles/<code>/again/": {"POST": MAKER},
    "play/<code>/": {"GET": PLAY},
    "play/<code>/summary/": {"GET": PLAY},
    "play/<code>/ask/": {"GET": {STUDENT}, "POST": {STUDENT}},
    "play/<code>/as/<kind>/": {"POST": PLAY},
    "play/<code>/again/": {"POST": PLAY},
    "play/<code>/new/": {"POST": PLAY},
    "assignments/<pk>/play/": {"POST": PUPIL},
    "api/puzzles/": {"GET": SIGNED_IN, "POST": DELETE},  # the list and the class
    "api/puzzles/import/": {"POST": TEACHERS},
    "api/puzzles/<code>/": {"GET": FOLLOW, "PATCH": MAKER, "DELETE": MAKER},
    "api/puzzles/<code>/grid/": {"GET": PLAY},
    "api/puzzles/<code>/files/": {"GET": FOLLOW},
    "api/puzzles/<code>/files/<format_name>/": {"GET": FOLLOW},
    "api/puzzles/<code>/worksheets/": {"GET": FOLLOW, "POST": FOLLOW},
    "api/worksheets/<pk>/": {"GET": {OWNER}, "DELETE": {OWNER}},
    "api/worksheets/<pk>/files/<which>/": {"GET": {OWNER}},
    "api/puzzles/<code>/fewer/": {"POST": MAKER},
    "api/puzzles/<code>/again/": {"POST": MAKER},
    "api/classes/<pk>/games/": {"GET": LEAD, "POST": LEAD & READ},  # of the list
    "api/live/<code>/": {"GET": LEAD, "PATCH": LEAD},
    "api/live/<code>/skip/": {"POST": LEAD},
    "api/live/<code>/shuffle/": {"POST": NOBODY},  # only before the start
    "api/live/<code>/players/<pk>/": {"PATCH": LEAD},
    "api/live/<code>/board/": {"GET": LEAD},
    "api/live/<code>/board/sound/<slot>/": {"GET": NOBODY},  # of no word that is still to find
    "api/live/<code>/join/": {"POST": {STUDENT}},
    # Only a device that joined, which has a cookie.
    "api/live/<code>/state/": {"GET": NOBODY},
    "api/live/<code>/play/": {"GET": NOBODY},
    "api/live/<code>/play/attempts/": {"POST": NOBODY},
    "api/live/<code>/play/hint/": {"POST": NOBODY},
    "api/live/<code>/sound/<slot>/": {"GET": NOBODY},
    "api/live/<code>/picture/<slot>/": {"GET": NOBODY},
    "api/play/<code>/": {"GET": PLAY},
    "api/play/<code>/attempts/": {"POST": PLAY},
    "api/play/<code>/hint/": {"POST": PLAY},
    "api/play/<code>/draft/": {"PUT": PLAY},
    "api/play/<code>/finish/": {"POST": PLAY},
    "api/play/<code>/again/": {"POST": PLAY},
    "api/play/<code>/new/": {"POST": PLAY},
    "api/play/<code>/sound/<slot>/": {"GET": PLAY},
    "api/play/<code>/picture/<slot>/": {"GET": PLAY},
    # searches for a crossword
    "lists/<list_pk>/searches/new/": {"GET": READ, "POST": READ},
    "searches/<code>/": {"GET": MAKER},
    "api/searches/": {"GET": SIGNED_IN, "POST": READ},
    "api/searches/<code>/": {"GET": MAKER, "DELETE": MAKER},
    "api/searches/<code>/go-on/": {"POST": MAKER},
    "api/searches/<code>/keep/": {"POST": MAKER},
    "api/searches/<code>/stop/": {"POST": MAKER},
    "api/searches/<code>/take/": {"POST": MAKER},
}

# Who may ask may still be told no here, for another reason than who they are.
MAY_ANSWER_NO = {
    "api/lists/<pk>/bulk/",  # of a list that is not one's own, words are not moved
    "login/", "logout/", "me/devices/end/",  # both lead to the login page
    "login/with/<provider>/back/",  # only for who began; where one begins is for everybody
    "api/play/<code>/sound/<slot>/", "api/play/<code>/picture/<slot>/",  # not before the find
    "play/<code>/summary/", "play/<code>/ask/", "trial/summary/",  # not before the end
    "play/<code>/as/<kind>/",  # teachers have other ways
    "api/classes/<pk>/daily/",  # assignments still ask for the words
    "api/play/<code>/new/",  # students do not create a word search
    "entries/<pk>/sound/<speed>/", "review/sound/<pk>/",  # sounds are made by a worker
    "s/<token>/words/<pk>/sound/",
    "api/review/sound/<pk>/",
    "api/classes/<pk>/keep/", "api/classes/<pk>/restore/",  # not before it is archived
    "api/entries/<pk>/sounds/<speed>/",
}  # fmt: skip


def as_shown(form):
    """Return what a browser sends of a form in which nothing was changed."""
    return {field.html_name: field.value() for field in form if field.value() not in (None, False)}


LIST_BODY = {"title": "x", "language": "hr", "translation_languages": ["en"]}
NEW = {
    "use": "screen", "kind": "word-search", "number": 5, "attempts": 1, "counting": "best",
    "seed": 7, "which": "all", "due_at": "2999-01-01T08:00",
}  # fmt: skip
NAMED = {"display_name": "New", "username": "new-person"}


def a_typo(h):
    """Answer wrong as the student, and return what undoes it."""
    attempt = uuid4()
    reviews.review(
        student=h.student, entry=h.entry, mode="typed", skill="meaning_to_form", outcome="wrong",
        source=quiz.source_of(h.student, attempt), at=timezone.now(), given="x",
    )  # fmt: skip
    return {"attempt": str(attempt)}


def a_pair(h):
    """Return a word and its meaning, as the tiles of a round."""
    entries = list(h.vocabulary_list.entries.all())
    withheld = withheld_words(h.student, timezone.now())
    others = [one for one in entries if one != h.entry and one.pk not in withheld][:3]
    picked = Picked([one.pk for one in (h.entry, *others)], UUID(ATTEMPT))
    game = Game([], {}, [], picked)
    tiles = {column: game.token(column, h.entry) for column in ("word", "meaning")}
    return tiles | {"words": picked.named, "round": ATTEMPT}


# A right body, or several, for what is sent to a route; *h* is the school it is sent to.
BODIES = {
    "language/": lambda h: {"language": "hr"},
    "api/token/": lambda h: {"username": h.teacher.username, "password": PASSWORD},
    "api/tokens/": lambda h: {"name": "x", "scope": "read", "days": 30, "password": PASSWORD},
    "me/tokens/": lambda h: {"name": "x", "scope": "read", "days": 30, "password": PASSWORD},
    "pupils/<pk>/password/": lambda h: {"password": "honey-comb"},
    "c/<code>/join/": lambda h: {"display_name": "New"},
    "me/account/": lambda h: {
        "display_name": "x", "email": "x@x.example", "password": PASSWORD,
    },
    "me/reading/": lambda h: {"letters": "easy", "contrast": "high", "motion": "less"},
    "me/password/": lambda h: {
        "old_password": PASSWORD, "new_password1": "a staple of batteries",
        "new_password2": "a staple of batteries",
    },
    "me/second-step/": lambda h: {"code": "123456", "password": PASSWORD},
    "me/passkeys/options/": lambda h: {"password": PASSWORD},
    "review/": lambda h: {
        "mode": "typed", "attempt": ATTEMPT, "entry": h.entry.pk, "answer": "x",
    },
    "api/review/": lambda h: {
        "mode": "typed", "attempt": ATTEMPT, "entry": h.entry.pk, "answer": "x",
    },
    "api/review/undo/": a_typo,
    "play/<code>/ask/": lambda h: {"mode": "typed", "entry": h.entry.pk, "answer": "x"},
    "words/practise/": lambda h: {"how": "cards"},
    "words/cards/": lambda h: {"attempt": ATTEMPT, "entry": h.entry.pk, "said": "knew"},
    "words/match/": a_pair,
    "practise/": lambda h: {"kind": "word-search", "free": "on"},
    "api/practice/": lambda h: {
        "kind": "word-search", "is_free": True, "size": 6,
        "vocabulary_list": h.vocabulary_list.pk,
    },
    "schools/<pk>/": lambda h: {"name": "x", "retention_days": 90},
    "schools/<pk>/teachers/<teacher>/role/": lambda h: {"role": "teacher"},
    "schools/<pk>/invite/": lambda h: {"role": "teacher"},
    "me/school-accounts/<provider>/connect/": lambda h: {"password": PASSWORD},
    "schools/<pk>/sign-in/": lambda h: {
        "name": "x", "issuer": "https://x.example", "client_id": "x", "client_secret": "x",
    },
    "schools/<pk>/sign-in/<provider>/": lambda h: {"name": "x", "client_id": "x"},
    "lti/class/": lambda h: {"classroom": h.classroom.pk},
    "lti/choose/": lambda h: {"assignment": h.assignment.pk},
    "schools/<pk>/platforms/": lambda h: {
        "name": "x", "issuer": "https://x.example", "client_id": f"x{h.school.pk}",
        "deployment_id": "1", "auth_url": "https://x.example/auth",
        "token_url": "https://x.example/token", "keys_url": "https://x.example/keys",
    },
    "schools/<pk>/webhooks/": lambda h: {
        "url": "https://127.0.0.1/hook", "events": ["student.joined"], "has_names": "on",
    },
    "schools/<pk>/webhooks/<webhook>/switch/": lambda h: [{"on": ""}, {"off": ""}],
    "schools/<pk>/rosters/": lambda h: {"file": school_zip_file()},
    "schools/<pk>/rosters/<roster_pk>/add/": lambda h: {
        "mark": school_imports.preview(h.school_roster).mark,
    },
    "api/schools/<pk>/rosters/": lambda h: {"file": school_zip_file()},
    "api/schools/<pk>/rosters/<roster_pk>/": lambda h: {
        "mark": school_imports.preview(h.school_roster).mark,
    },
    "schools/<pk>/blocked-words/": lambda h: {"words": "smeće"},
    "schools/<pk>/blocked-words/strong/": lambda h: [{"on": ""}, {"off": ""}],
    "api/schools/<pk>/blocked-words/": lambda h: {"words": ["smeće"]},
    "api/schools/<pk>/blocked-words/strong/": lambda h: {"blocks_strong_words": False},
    "classes/new/": lambda h: [{"name": "x"}, {"school_name": "x"}],  # whoever has a school, or not
    "classes/<pk>/pupils/new/": lambda h: NAMED | {"password": "honey-comb"},
    "classes/<pk>/pupils/paste/": lambda h: {"names": "New"},
    "classes/<pk>/pupils/paste/<roster_pk>/class/": lambda h: {"class": "c2"},
    "classes/<pk>/pupils/paste/<roster_pk>/add/": lambda h: {
        "mark": roster_imports.preview(roster=h.roster, actor=h.teacher).mark,
    },
    "classes/<pk>/pupils/waiting/": lambda h: [
        {"request": [h.join_request.pk], "answer": answer} for answer in ("accept", "refuse")
    ],
    "classes/<pk>/pupils/joined/": lambda h: {"student": [h.joined.pk]},
    "classes/<pk>/pupils/move/": lambda h: {"classroom": h.classroom.pk, "student": [h.student.pk]},
    "classes/<pk>/cards/": lambda h: [
        {"student": [h.student.pk], "format": "pdf"},
        {"which": "all", "format": "page"},
    ],
    "classes/<pk>/change/": lambda h: {
        "name": "x", "is_join_open": "on", "uses_pictures": "on", "card_language": "pl",
    },
    "classes/<pk>/archive/": lambda h: [{}, {"name": "next"}],
    "classes/<pk>/members/<member>/role/": lambda h: [
        {"role": "viewer"}, {"role": "substitute", "until": "2999-01-01"},
    ],
    "classes/<pk>/teachers/": lambda h: [
        {"teacher": h.colleague.pk, "role": "co_teacher"},
        {"teacher": h.former.pk, "role": "substitute", "until": "2999-01-01"},
    ],
    "api/classes/": lambda h: [{"name": "x"}, {"name": "x", "uses_pictures": True}],
    "api/classes/<pk>/": lambda h: {
        "name": "x", "is_join_open": True, "uses_pictures": True, "card_language": "pl",
    },
    "api/schools/": lambda h: {"name": "x"},
    "api/schools/<pk>/": lambda h: {"name": "x", "retention_days": 90},
    "api/schools/<pk>/teachers/<teacher>/": lambda h: [
        {"role": "school_admin"}, {"is_active": False},
    ],
    "api/schools/<pk>/invitations/": lambda h: {"role": "teacher"},
    "api/classes/<pk>/invitations/": lambda h: {"role": "viewer"},
    "api/classes/<pk>/students/": lambda h: [
        {"students": [{"name": "New"}]}, {"roster": "New\nNewer"},
    ],
    "api/classes/<pk>/students/move/": lambda h: {
        "students": [h.student.pk], "classroom": h.classroom.pk,
    },
    "api/classes/<pk>/waiting/accept/": lambda h: {"requests": [h.join_request.pk]},
    "api/classes/<pk>/waiting/refuse/": lambda h: {"requests": [h.join_request.pk]},
    "api/classes/<pk>/cards/": lambda h: [{"students": [h.student.pk]}, {"which": "all"}],
    "api/students/": lambda h: {
        "classroom": h.classroom.pk, "name": "New", "username": "new-person",
        "password": "honey-comb",
    },
    "api/students/<pk>/": lambda h: {"name": "x"},
    "api/students/<pk>/password/": lambda h: {"password": "honey-comb"},
    "api/classes/<pk>/next-year/": lambda h: {"name": "next"},
    "api/classes/<pk>/teachers/": lambda h: {
        "username": h.colleague.username, "role": "substitute", "until": "2999-01-01",
    },
    "api/classes/<pk>/teachers/<teacher>/": lambda h: {
        "role": "substitute", "until": "2999-01-01",
    },
    "classes/<pk>/invite/": lambda h: {"role": "viewer"},
    "bin/<section>/<pk>/erase/": lambda h: {"username": h.binned_student.username},
    "pupils/<pk>/merge/": lambda h: {"username": h.twin.username},
    "pupils/<pk>/classes/": lambda h: {"classroom": h.classroom.pk},
    "pupils/<pk>/name/": lambda h: {"display_name": "x"},
    "classes/<pk>/goal/": lambda h: [{"words": 5, "ends_on": "2999-01-01"}, {"end": "1"}],
    "classes/<pk>/ranking/": lambda h: [{}, {"on": "1"}],
    "api/goal/": lambda h: [{"words": 12}, {"words": None}],
    "api/classes/<pk>/daily/switch/": lambda h: [{"is_on": True}, {"is_on": False}],
    "api/classes/<pk>/goal/": lambda h: {"words": 5, "ends_on": "2999-01-01"},
    "api/classes/<pk>/ranking/": lambda h: [{"is_on": True}, {"is_on": False}],
    "api/classes/<pk>/nickname/": lambda h: {"name": OFFERED[0]},
    "classes/<pk>/daily/switch/": lambda h: [{"on": "1"}],
    "classes/<pk>/nickname/": lambda h: {"name": OFFERED[0]},
    "classes/<pk>/complete/": lambda h: {"list": h.vocabulary_list.pk, "do": "take back"},
    "api/classes/<pk>/complete/": lambda h: {"list": h.vocabulary_list.pk, "is_shown": False},
    "classes/<pk>/games/new/": lambda h: {
        "mode": "race", "list": h.vocabulary_list.pk, "words": 5, "teams": 2, "seconds": 0,
        "seconds_a_word": 0, "is_heard_on_board": 1,
    },
    "live/<code>/do/": lambda h: [{"do": "pause"}, {"do": "remove", "player": h.player.pk}],
    "l/": lambda h: {"code": h.game.code},
    "l/<code>/": lambda h: {"name": "Vega"},
    "classes/<pk>/give/": lambda h: {
        "kind": "word-search", "entry": [h.entry.pk], "student": [h.student.pk],
    },
    "classes/<pk>/assignments/<assignment_pk>/edit/": lambda h: {
        "is_adaptive": "on", "attempts": 1, "counting": "best", "chosen_students": [h.student.pk],
        "pinned": [h.entry.pk],
    },
    "classes/<pk>/assignments/<assignment_pk>/change/": lambda h: [
        {"close": "1"}, {"archive": "1"}, {"restore": "1"}, {"excuse": h.student.pk},
    ],
    "api/classes/<pk>/assignments/": lambda h: [
        {"vocabulary_list": h.vocabulary_list.pk, "kind": "word-search"},
        {
            "vocabulary_list": h.vocabulary_list.pk, "kind": "finder", "entries": [h.entry.pk],
            "chosen_students": [h.student.pk], "pinned": [h.entry.pk],
        },
    ],
    "api/classes/<pk>/path/": lambda h: [
        {"vocabulary_list": h.vocabulary_list.pk, "entries": [h.entry.pk],
         "chosen_students": [h.student.pk]},
    ],
    "api/assignments/<pk>/": lambda h: {
        "is_draft": True, "chosen_students": [h.student.pk], "excused": [h.student.pk],
        "pinned": [h.entry.pk],
    },
    "lists/new/": lambda h: {
        "title": "x", "language": "hr", "translation_language": "en", "visibility": "private",
        "lines": "pas\tdog",
    },
    "classes/<pk>/parents/print/": lambda h: [
        {"which": "missing"}, {"which": "chosen", "format": "pdf", "student": [h.twin.pk]},
    ],
    "classes/<pk>/parents/end/": lambda h: [
        {"which": "all"}, {"which": "chosen", "student": [h.student.pk]},
    ],
    "lists/<pk>/links/": lambda h: {"lasts": "week", "may_copy": "on"},
    "puzzles/<code>/links/": lambda h: {"lasts": "year"},
    "api/links/": lambda h: [
        {"list": h.vocabulary_list.pk, "lasts": "day", "may_copy": True},
        {"puzzle": h.puzzle.code},
    ],
    "api/classes/<pk>/parents/": lambda h: {"students": [h.student.pk]},
    "api/shared/<token>/attempts/": lambda h: {"attempt": ATTEMPT, "cells": [[0, 0], [0, 1]]},
    "api/shared/<token>/hint/": lambda h: {"item": h.placement.slot, "kind": "word"},
    "api/trial/attempts/": lambda h: {"attempt": ATTEMPT, "cells": [[0, 0], [0, 1]]},
    "api/trial/hint/": lambda h: {"item": "0", "kind": "word"},
    "lists/samples/": lambda h: {"language": "de", "translation_language": "hr"},
    "api/lists/samples/": lambda h: {"language": "de", "translation_language": "hr"},
    "lists/preview/": lambda h: {"language": "hr", "lines": "pas\tdog"},
    "lists/<pk>/preview/": lambda h: {"lines": "pas\tdog"},
    "lists/<pk>/playing/": lambda h: {"playing_rules": ["articles"]},
    "lists/<pk>/": lambda h: {"lines": "pas\tdog"},
    "lists/<pk>/bulk/": lambda h: [
        {"action": action, "entries": [h.entry.pk], "tag": "x"}
        for action in ("tag", "untag", "delete", "move")
    ] + [{"action": "merge", "entries": [each.pk for each in h.vocabulary_list.entries.all()[:2]]}],
    "lists/<pk>/voice/": lambda h: {"engine": "espeak", "is_spoken_slowly": "on"},
    "lists/<pk>/voice/anew/": lambda h: {"speeds": "slow"},
    "lists/<pk>/entries/": lambda h: {"term": "pas", "translation_en": "dog"},
    "lists/<pk>/import/": lambda h: {"text": "pas\tdog"},
    "lists/<pk>/settings/": lambda h: {
        "title": "x", "description": "", "visibility": "private", "accents": "warn",
        "language": "hr", "translation_language": "en",
    },
    "lists/<pk>/share/": lambda h: {"username": h.colleague.username, "may_edit": "on"},
    "entries/<pk>/same-word/": lambda h: {"key": "pas", "same": "yes"},
    "entries/<pk>/edit/": lambda h: {"term": "pas", "version": h.entry.version},
    "entries/<pk>/place/": lambda h: {"step": "up"},
    "entries/<pk>/sound/": lambda h: [
        {"action": "engine", "engine": ""}, {"action": "remake", "speed": "normal"},
    ],
    "entries/<pk>/picture/": lambda h: [{"remove": "1"}, {"picture": picture_file()}],
    "imports/<pk>/settings/": lambda h: as_shown(ReadingForm(import_=h.waiting)),
    "api/lists/": lambda h: LIST_BODY,
    "api/lists/<pk>/": lambda h: {"title": "x"},
    "api/lists/<pk>/import/": lambda h: {"text": "pas\tdog"},
    "api/lists/<pk>/bulk/": lambda h: [
        {"action": "tag", "entries": [h.entry.pk], "tag": "x"},
        {"action": "delete", "where": {}},
        {"action": "move", "entries": [h.entry.pk], "target": h.copied.pk},
    ],
    "api/lists/<pk>/shares/": lambda h: {"username": h.colleague.username, "may_edit": True},
    "api/lists/<pk>/voice/": lambda h: {"engine": "espeak", "is_spoken_slowly": True},
    "api/lists/<pk>/voice/anew/": lambda h: {"speeds": ["slow"]},
    "api/entries/<pk>/": lambda h: {"term": "pas", "version": h.entry.version},
    "api/lists/<pk>/entries/": lambda h: {"term": "patka", "translations": {"en": ["duck"]}},
    "api/entries/<pk>/picture/": lambda h: {"picture": picture_file()},
    "api/entries/<pk>/sounds/anew/": lambda h: {"speed": "normal"},
    "api/entries/<pk>/sounds/engine/": lambda h: {"engine": "espeak"},
    "api/entries/<pk>/sounds/own/": lambda h: {"sound": sound_file()},
    "lists/<list_pk>/searches/new/": lambda h: {"words": 5, "pinned": [h.entry.pk]},
    "api/searches/": lambda h: {
        "vocabulary_list": h.vocabulary_list.pk, "settings": {"pinned": [h.entry.pk]},
    },
    "api/searches/<code>/keep/": lambda h: {"candidate": 1},
    "api/searches/<code>/take/": lambda h: {"candidate": 1},
    "assign/": lambda h: [
        NEW | {
            "vocabulary_list": h.vocabulary_list.pk, "entries": [h.entry.pk],
            "classroom": [h.classroom.pk], "student": [h.student.pk],
        },
        NEW | {"vocabulary_list": h.vocabulary_list.pk, "show": "1"},
    ],
    "puzzles/<code>/print/set/": lambda h: [
        {"content": "versions", "versions": 2},
        {"content": "own", "classroom": h.classroom.pk},
    ],
    "puzzles/<code>/results/": lambda h: {
        "classroom": h.classroom.pk, "student": [h.student.pk], "absent": [h.twin.pk],
    },
    "puzzles/import/": lambda h: {"file": puzzle_file()},
    "api/puzzles/import/": lambda h: {"file": puzzle_file(), "title": "x", "language": "en"},
    "api/entries/<pk>/place/": lambda h: {"step": "up"},
    "puzzles/import/save/": lambda h: {
        "title": "x", "language": "en", "translation_language": "en",
        "read": Preview.of_file(read(puzzle_file().read())).signed(),
    },
    "puzzles/<code>/rename/": lambda h: {"title": "x"},
    "api/puzzles/<code>/": lambda h: {"title": "x"},
    "api/puzzles/<code>/worksheets/": lambda h: [
        {"content": "versions", "versions": 3, "printing": {"paper": "letter"}},
        {"content": "own", "classroom": h.classroom.pk},
    ],
    "play/<code>/new/": lambda h: {"difficulty": "easy"},
    "api/puzzles/": lambda h: {
        "vocabulary_list": h.vocabulary_list.pk, "kind": "word-search",
        "classroom": h.classroom.pk,
    },
    "api/classes/<pk>/games/": lambda h: {
        "mode": "race", "list": h.vocabulary_list.pk, "entries": [], "words": 5,
    },
    "api/live/<code>/": lambda h: [{"state": "paused"}, {"state": "ended"}],
    "api/live/<code>/skip/": lambda h: {"item": h.game.puzzle.placements.first().slot},
    "api/live/<code>/shuffle/": lambda h: {},
    "api/live/<code>/players/<pk>/": lambda h: [{"team": 2}, {"removed": True}],
    "api/live/<code>/join/": lambda h: {},
    "api/live/<code>/play/attempts/": lambda h: {"attempt": ATTEMPT, "cells": [[0, 0], [0, 1]]},
    "api/live/<code>/play/hint/": lambda h: {
        "attempt": ATTEMPT, "item": h.game.puzzle.placements.first().slot, "kind": "text",
    },
    "api/play/<code>/attempts/": lambda h: {
        "attempt": ATTEMPT, "item": h.placement.slot, "cells": h.placement.cells,
    },
    "api/play/<code>/hint/": lambda h: {"item": h.placement.slot, "kind": "first_cell"},
    "api/play/<code>/draft/": lambda h: {"cells": {"0,0": "a"}},
}  # fmt: skip

# What fills the parameters of a route: by (its beginning, the name), else by the name.
PARAMETERS = {
    ("bin/<section>/<pk>/erase/", "section"): lambda h: "students",
    ("bin/<section>/<pk>/erase/", "pk"): lambda h: h.binned_student.pk,
    ("worksheets/", "pk"): lambda h: h.worksheet_set.pk,
    ("api/worksheets/", "pk"): lambda h: h.worksheet_set.pk,
    "which": lambda h: "worksheets",
    ("status/jobs/", "pk"): lambda h: Job.objects.values_list("pk", flat=True).first(),
    "section": lambda h: "lists",
    "topic": lambda h: "lists",
    "platform": lambda h: h.platform.pk,
    "linked": lambda h: h.platform.people.get(subject="7").pk,
    ("bin/", "pk"): lambda h: h.binned_list.pk,
    ("api/bin/", "pk"): lambda h: h.binned_list.pk,
    ("c/", "code"): lambda h: h.classroom.join_code,
    ("searches/", "code"): lambda h: h.search.code,
    ("api/searches/", "code"): lambda h: h.search.code,
    ("puzzles/<code>/again/", "code"): lambda h: h.given_up.code,
    ("api/puzzles/<code>/again/", "code"): lambda h: h.given_up.code,
    ("live/", "code"): lambda h: h.game.code,
    ("l/", "code"): lambda h: h.game.code,
    ("api/live/", "code"): lambda h: h.game.code,
    ("api/live/", "pk"): lambda h: h.player.pk,
    ("api/live/", "slot"): lambda h: h.game.puzzle.placements.first().slot,
    "code": lambda h: h.puzzle.code,
    ("schools/", "pk"): lambda h: h.school.pk,
    ("classes/", "pk"): lambda h: h.classroom.pk,
    ("api/classes/", "pk"): lambda h: h.classroom.pk,
    ("api/assignments/<pk>/play/", "pk"): lambda h: h.adaptive.pk,
    ("api/assignments/", "pk"): lambda h: h.assignment.pk,
    ("pupils/", "pk"): lambda h: h.student.pk,
    ("lists/<pk>/pull/", "pk"): lambda h: h.copied.pk,
    ("api/lists/<pk>/pull/", "pk"): lambda h: h.copied.pk,
    ("lists/", "pk"): lambda h: h.vocabulary_list.pk,
    ("api/lists/", "pk"): lambda h: h.vocabulary_list.pk,
    ("entries/", "pk"): lambda h: h.entry.pk,
    ("api/entries/", "pk"): lambda h: h.entry.pk,
    ("words/", "pk"): lambda h: h.entry.pk,
    ("review/", "pk"): lambda h: h.entry.pk,
    ("api/review/", "pk"): lambda h: h.entry.pk,
    ("imports/<pk>/undo", "pk"): lambda h: h.applied.pk,
    ("api/imports/<pk>/undo", "pk"): lambda h: h.applied.pk,
    ("imports/", "pk"): lambda h: h.waiting.pk,
    ("api/imports/", "pk"): lambda h: h.waiting.pk,
    ("me/passkeys/", "pk"): lambda h: h.passkey.pk,
    ("me/devices/", "pk"): lambda h: h.browser.pk,
    ("me/tokens/", "pk"): lambda h: h.token.pk,
    ("api/tokens/", "pk"): lambda h: h.token.pk,
    ("assignments/", "pk"): lambda h: h.adaptive.pk,
    ("classes/<pk>/pupils/paste/<roster_pk>/undo", "roster_pk"): lambda h: h.added_roster.pk,
    ("schools/<pk>/rosters/<roster_pk>/undo", "roster_pk"): lambda h: h.added_school_roster.pk,
    ("schools/", "roster_pk"): lambda h: h.school_roster.pk,
    ("api/schools/", "roster_pk"): lambda h: h.school_roster.pk,
    "provider": lambda h: h.identity.provider_id,
    "identity": lambda h: h.identity.pk,
    "webhook": lambda h: h.delivery.webhook_id,
    "delivery": lambda h: h.delivery.pk,
    "roster_line": lambda h: h.added_school_roster.lines.get().pk,
    ("api/classes/", "roster_pk"): lambda h: h.added_roster.pk,
    ("api/schools/", "pk"): lambda h: h.school.pk,
    ("api/students/", "pk"): lambda h: h.student.pk,
    "word": lambda h: h.blocked_word.pk,
    "student": lambda h: h.student.pk,
    "roster_pk": lambda h: h.roster.pk,
    "edit_pk": lambda h: h.edit.pk,
    "list_pk": lambda h: h.vocabulary_list.pk,
    "assignment_pk": lambda h: h.assignment.pk,
    "student_pk": lambda h: h.student.pk,
    "entry_pk": lambda h: h.entry.pk,
    ("classes/<pk>/members/<member>/role", "member"): lambda h: h.colleagues_place.pk,
    "member": lambda h: h.member.pk,
    ("api/classes/<pk>/teachers/<teacher>/", "teacher"): lambda h: h.co_teacher.pk,
    "teacher": lambda h: h.guest.pk,
    "invitation": lambda h: h.invitation.pk,
    ("api/play/<code>/picture/", "slot"): lambda h: h.found.slot,
    "slot": lambda h: h.placement.slot,
    ("links/", "pk"): lambda h: h.share_link.pk,
    ("api/links/", "pk"): lambda h: h.share_link.pk,
    ("s/<token>/summary/", "token"): lambda h: h.puzzle_token,
    ("s/", "token"): lambda h: h.list_token,
    ("s/", "pk"): lambda h: h.entry.pk,
    ("api/shared/", "token"): lambda h: h.puzzle_token,
    ("p/", "token"): lambda h: h.parent_token,
    "uidb64": lambda h: "MQ",
    "token": lambda h: "x-x",
    "name": lambda h: "image",
    ("play/<code>/as/", "kind"): lambda h: "crossword",
    "kind": lambda h: "delimited",
    "format": lambda h: "delimited",
    "format_name": lambda h: "svg",
    "file_format": lambda h: "csv",
    "speed": lambda h: "normal",
}


def persons(house, other):
    """Return everybody of the table; *house* is the school asked, *other* another one."""
    return {
        ANYBODY: None,
        STUDENT: launched(house.student, house.platform),
        OTHER: house.other_student,
        FOREIGN: other.student,
        OWNER: house.teacher,
        CO: house.co_teacher,
        LAUNCHED: launched(house.co_teacher, house.platform),
        VIEWER: house.viewer,
        SUBSTITUTE: house.substitute,
        FORMER: house.former,
        GUEST: house.guest,
        COLLEAGUE: house.colleague,
        STRANGER: other.teacher,
        ADMIN: house.admin,
        OTHER_ADMIN: other.admin,
        SITE: house.site_admin,
    }


def names_in(route):
    """Return the names of a route's parameters."""
    return [part.split(">")[0] for part in route.split("<")[1:]]


def path_of(route, house, **swapped):
    """Return the address of the school's own things; *swapped* parameters lead to another's."""
    path = "/" + route
    for name in names_in(route):
        path = path.replace(f"<{name}>", str(value_of(route, name, swapped.get(name, house))))
    return path


def value_of(route, name, house):
    """Return what fills a parameter with a thing of *house*."""
    for key, fill in PARAMETERS.items():
        if isinstance(key, tuple) and key[1] == name and route.startswith(key[0]):
            return fill(house)
    return PARAMETERS[name](house)


def bodies_of(route, house):
    """Return the right bodies for what is sent to a route."""
    made = BODIES.get(route, lambda h: {})(house)
    return made if isinstance(made, list) else [made]
