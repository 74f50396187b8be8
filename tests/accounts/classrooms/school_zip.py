"""OneRoster files of a whole school, as a school's program exports them."""

import io
import zipfile

USERS = (
    "sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,userIds,givenName,"
    "familyName,middleName,identifier,email"
)
CLASSES = "sourcedId,status,dateLastModified,title,grades,courseSourcedId,classCode,classType"
PLACES = (
    "sourcedId,status,dateLastModified,classSourcedId,schoolSourcedId,userSourcedId,role,primary"
)
ROLES = "sourcedId,status,dateLastModified,userSourcedId,roleType,role"


def user(key, given, family, role="student", *, status="", number="", email=""):
    return f"{key},{status},,true,o1,{role},,,{given},{family},,{number},{email}"


def klass(key, title, status=""):
    return f"{key},{status},,{title},,,,homeroom"


def place(person, classroom, role="student", *, status="", primary=""):
    return f"{person}-{classroom},{status},,{classroom},o1,{person},{role},{primary}"


def packed(*, users=(), classes=(), places=(), mode="bulk", **others):
    """Return the bytes of a file; *others* are whole tables by name, None leaves one out."""
    tables = {
        "manifest": "propertyName,value\n"
        + "".join(f"file.{name},{mode}\n" for name in ("users", "classes", "enrollments")),
        "users": users if isinstance(users, str) else "\n".join([USERS, *users]),
        "classes": classes if isinstance(classes, str | bytes) else "\n".join([CLASSES, *classes]),
        "enrollments": "\n".join([PLACES, *places]),
    } | others
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in tables.items():
            if text is not None:
                archive.writestr(f"{name}.csv", text)
    return made.getvalue()


def whole_school(*, users=(), classes=(), places=(), **others):
    """Return a bulk file of two classes, two teachers and three students, and what is added."""
    return packed(
        users=[
            user("t1", "Iva", "Babić", "teacher", email="iva@skola.example"),
            user("t2", "Jure", "Perić", "teacher", email="jure@skola.example"),
            user("s1", "Ana", "Horvat", number="101"),
            user("s2", "Mia", "Kos"),
            user("s3", "Ana", "Hrgović"),
            *users,
        ],
        classes=[klass("a", "5a"), klass("b", "5b"), *classes],
        places=[
            place("t1", "a", "teacher", primary="true"),
            place("t2", "b", "teacher", primary="true"),
            place("s1", "a"),
            place("s3", "a"),
            place("s2", "b"),
            *places,
        ],
        **others,
    )
