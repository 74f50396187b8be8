from __future__ import annotations

from django.urls import include, path
from django.views.decorators.gzip import gzip_page

from puzzles.assignments import assign_views, puzzle_views
from puzzles.assignments import views as assignment_views
from puzzles.daily import views as daily_views
from puzzles.dashboards import today_views
from puzzles.dashboards import views as dashboard_views
from puzzles.goals import views as goal_views
from puzzles.home import views as home_views
from puzzles.home import word_views
from puzzles.imports import views as import_views
from puzzles.lessons import views as lesson_views
from puzzles.live import views as live_views
from puzzles.lti import platform_views
from puzzles.lti import views as lti_views
from puzzles.parents import views as parent_views
from puzzles.play import views as play_views
from puzzles.practice import views as quiz_views
from puzzles.searches import views as search_views
from puzzles.sharing import views as sharing_views
from puzzles.trial import views as trial_views
from puzzles.worksheets import views as worksheet_views
from puzzles.xapi import views as xapi_views

_shared = [
    path("", sharing_views.shared, name="shared"),
    path("summary/", sharing_views.shared_summary, name="shared-summary"),
    path("words/<int:pk>/sound/", sharing_views.shared_sound, name="shared-sound"),
    path("file/", sharing_views.shared_words, name="shared-words"),
    path("copy/", sharing_views.shared_copy, name="shared-copy"),
]

_lti = [
    path("login/", lti_views.login, name="lti-login"),
    path("launch/", lti_views.launch, name="lti-launch"),
    path("keys/", lti_views.key_set, name="lti-keys"),
    path("register/<slug:token>/", platform_views.register, name="lti-register"),
    path("open/", lti_views.open_arrived, name="lti-open"),
    path("go/", lti_views.go, name="lti-go"),
    path("account/", lti_views.account, name="lti-account"),
    path("class/", lti_views.course_class, name="lti-class"),
    path("choose/", lti_views.choose, name="lti-choose"),
    path("roster/", lti_views.roster, name="lti-roster"),
]

_platforms = [
    path("", platform_views.overview, name="lti-platforms"),
    path("invite/", platform_views.invite, name="lti-invite"),
    path("teachers/<int:linked>/unlink/", platform_views.unlink, name="lti-unlink"),
    path("<int:platform>/test/", platform_views.test, name="lti-test"),
    path("<int:platform>/switch/", platform_views.switch, name="lti-switch"),
    path("<int:platform>/remove/", platform_views.remove, name="lti-remove"),
]

_assignment = [
    path("", assignment_views.assignment_page, name="assignment"),
    path("change/", assignment_views.assignment_change, name="assignment-change"),
    path("edit/", assignment_views.assignment_edit, name="assignment-edit"),
]

_class = [
    path("", today_views.classroom, name="classroom"),
    path("progress/", dashboard_views.progress_page, name="classroom-progress"),
    path(
        "progress.<slug:file_format>",
        dashboard_views.progress_file,
        name="classroom-progress-file",
    ),
    path(
        "assignments.<slug:file_format>",
        dashboard_views.assignments_file,
        name="classroom-assignments-file",
    ),
    path("pupils/<int:student_pk>/", dashboard_views.student_page, name="student-progress"),
    path(
        "pupils/<int:student_pk>/words/<int:entry_pk>/",
        dashboard_views.student_word_page,
        name="student-word",
    ),
    path("words/<int:entry_pk>/", dashboard_views.word_page, name="class-word"),
    path("words/<int:entry_pk>/picture/", dashboard_views.word_picture, name="class-word-picture"),
    path("lesson/", lesson_views.lesson_page, name="lesson"),
    path("lesson/board/", lesson_views.board_page, name="lesson-board"),
    path("complete/", lesson_views.complete_list, name="class-complete"),
    path("games/new/", live_views.new_game, name="live-new"),
    path("parents/", parent_views.class_links, name="class-parents"),
    path("parents/print/", parent_views.print_links, name="class-parents-print"),
    path("parents/end/", parent_views.end_links, name="class-parents-end"),
    path("give/", assignment_views.give, name="class-give"),
    path("statements/", xapi_views.xapi_file, name="classroom-xapi"),
    path("goal/", goal_views.goal, name="class-goal"),
    path("ranking/", goal_views.ranking, name="class-ranking"),
    path("nickname/", goal_views.nickname, name="nickname"),
    path("daily/", daily_views.daily_page, name="daily"),
    path("daily/switch/", daily_views.switch, name="daily-switch"),
]

_live = [
    path("", live_views.board, name="live-board"),
    path("do/", live_views.command, name="live-command"),
    path("players/", live_views.players, name="live-players"),
    path("results/", live_views.results, name="live-results"),
]

_puzzle = [
    path("", puzzle_views.puzzle_detail, name="puzzle"),
    path("delete/", puzzle_views.puzzle_delete, name="puzzle-delete"),
    path("rename/", puzzle_views.puzzle_rename, name="puzzle-rename"),
    path("progress/", puzzle_views.puzzle_progress, name="puzzle-progress"),
    path("fewer/", puzzle_views.puzzle_fewer, name="puzzle-fewer"),
    path("again/", puzzle_views.puzzle_again, name="puzzle-again"),
    path("links/", sharing_views.puzzle_links, name="puzzle-links"),
    path("download/<slug:format_name>/", worksheet_views.puzzle_download, name="puzzle-download"),
    path("print/", worksheet_views.worksheet, name="worksheet"),
    path("print/preview/", worksheet_views.worksheet_preview, name="worksheet-preview"),
    path("print/set/", worksheet_views.worksheet_set_new, name="worksheet-set-new"),
    path("results/", worksheet_views.paper_results, name="paper-results"),
]

_worksheet_set = [
    path("", worksheet_views.worksheet_set, name="worksheet-set"),
    path("delete/", worksheet_views.worksheet_set_delete, name="worksheet-set-delete"),
    path("<slug:which>.pdf", worksheet_views.worksheet_set_file, name="worksheet-set-file"),
]

_words = [
    path("", word_views.word_list, name="words"),
    path("practise/", word_views.practise_words, name="words-practise"),
    path("cards/", quiz_views.cards, name="flashcards"),
    path("match/", quiz_views.match, name="match"),
    path("<int:pk>/", word_views.word, name="word"),
    path("<int:pk>/picture/", word_views.word_picture, name="word-picture"),
]

_play = [
    # Its only secret, the CSRF token, is masked anew each time, so that its size tells nothing.
    path("", gzip_page(play_views.play_page), name="play"),
    path("summary/", home_views.game_summary, name="play-summary"),
    path("ask/", home_views.ask_after_game, name="play-ask"),
    path("as/<slug:kind>/", home_views.play_as, name="play-as"),
    path("again/", play_views.play_again, name="play-again"),
    path("new/", play_views.play_another, name="play-another"),
]

urlpatterns = [
    path("lti/", include(_lti)),
    path("schools/<int:pk>/platforms/", include(_platforms)),
    path("", today_views.home, name="home"),
    path("trial/summary/", trial_views.trial_summary, name="trial-summary"),
    path("first-steps/hide/", today_views.hide_first_steps, name="first-steps-hide"),
    path("classes/<int:pk>/", include(_class)),
    path("classes/<int:pk>/assignments/<int:assignment_pk>/", include(_assignment)),
    path("live/new/", live_views.choose_class, name="live-class"),
    path("live/<slug:code>/", include(_live)),
    path("l/", live_views.enter, name="live-enter"),
    path("l/<slug:code>/", live_views.play, name="live-play"),
    path("links/", sharing_views.links, name="links"),
    path("links/<int:pk>/end/", sharing_views.link_end, name="link-end"),
    path("lists/<int:pk>/links/", sharing_views.list_links, name="list-links"),
    path("s/<slug:token>/", include(_shared)),
    path("p/<slug:token>/", parent_views.parent_page, name="parent-page"),
    path("school/", dashboard_views.school_page, name="school-progress"),
    path("assign/", assign_views.assign, name="assign"),
    path("assignments/<int:pk>/play/", home_views.play_assignment, name="assignment-play"),
    path("puzzles/import/", import_views.import_new, name="puzzle-import"),
    path("puzzles/import/save/", import_views.import_save, name="puzzle-import-save"),
    path("puzzles/<slug:code>/", include(_puzzle)),
    path("lists/<int:list_pk>/searches/new/", search_views.search_new, name="search-new"),
    path("searches/<slug:code>/", search_views.search_page, name="search"),
    path("worksheets/<int:pk>/", include(_worksheet_set)),
    path("practise/", home_views.practise, name="practise"),
    path("review/", quiz_views.review, name="review"),
    path("review/sound/<int:pk>/", quiz_views.review_sound, name="review-sound"),
    path("progress/", home_views.own_progress, name="own-progress"),
    path("progress/goal/", goal_views.own_goal, name="own-goal"),
    path("words/", include(_words)),
    path("play/<slug:code>/", include(_play)),
]
