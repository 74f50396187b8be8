import django.contrib.auth.models
import django.contrib.auth.validators
import django.core.validators
import django.db.models.deletion
import django.utils.timezone
import osmosmjerka.accounts.models
import osmosmjerka.db.collation
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('auth', '0012_alter_user_first_name_max_length'),
    ]

    operations = [
        migrations.CreateModel(
            name='School',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200, verbose_name='name')),
                ('retention_days', models.PositiveIntegerField(default=365, help_text='Its students who are in no other class are deleted with it. Its teachers are warned first.', verbose_name='days until an archived class is deleted')),
                ('language', models.CharField(blank=True, max_length=10, verbose_name='language')),
                ('time_zone', models.CharField(blank=True, max_length=64, verbose_name='time zone')),
                ('recall_target', models.FloatField(default=0.9, help_text='A word is due for review when the chance of recalling it falls to this value. A higher target means more reviews.', validators=[django.core.validators.MinValueValidator(0.7), django.core.validators.MaxValueValidator(0.97)], verbose_name='recall target')),
                ('blocks_strong_words', models.BooleanField(default=True, verbose_name='block the strong words that come with Osmosmjerka')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'verbose_name': 'school',
                'verbose_name_plural': 'schools',
                'ordering': [osmosmjerka.db.collation.Alphabetical('name'), 'pk'],
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('is_superuser', models.BooleanField(default=False, help_text='Designates that this user has all permissions without explicitly assigning them.', verbose_name='superuser status')),
                ('username', models.CharField(error_messages={'unique': 'A user with that username already exists.'}, help_text='Required. 150 characters or fewer. Letters, digits and @/./+/-/_ only.', max_length=150, unique=True, validators=[django.contrib.auth.validators.UnicodeUsernameValidator()], verbose_name='username')),
                ('is_staff', models.BooleanField(default=False, help_text='Designates whether the user can log into this admin site.', verbose_name='staff status')),
                ('is_active', models.BooleanField(default=True, help_text='Designates whether this user should be treated as active. Unselect this instead of deleting accounts.', verbose_name='active')),
                ('date_joined', models.DateTimeField(default=django.utils.timezone.now, verbose_name='date joined')),
                ('deleted_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('display_name', models.CharField(max_length=80, verbose_name='display name')),
                ('email', models.EmailField(blank=True, help_text='Teachers only.', max_length=254, verbose_name='e-mail')),
                ('role', models.CharField(choices=[('student', 'Student'), ('teacher', 'Teacher'), ('school_admin', 'School admin')], default='student', max_length=20, verbose_name='role')),
                ('language', models.CharField(blank=True, max_length=10, verbose_name='language')),
                ('letters', models.CharField(choices=[('standard', 'Standard'), ('easy', 'Easier to tell apart')], default='standard', max_length=10, verbose_name='letters')),
                ('contrast', models.CharField(choices=[('device', 'As on this device'), ('high', 'High')], default='device', max_length=10, verbose_name='contrast')),
                ('motion', models.CharField(choices=[('device', 'As on this device'), ('less', 'Less')], default='device', max_length=10, verbose_name='motion')),
                ('credential_stamp', models.CharField(blank=True, editable=False, help_text='Changes when every session of this person must end.', max_length=32)),
                ('merged', models.JSONField(blank=True, editable=False, help_text='In the bin: the account with which this one was merged, and what it got.', null=True)),
                ('opened_on', models.DateField(blank=True, editable=False, help_text='When a teacher last opened Today.', null=True)),
                ('opened_before', models.DateField(blank=True, editable=False, help_text='The last day before that one.', null=True)),
                ('deleted_by', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('groups', models.ManyToManyField(blank=True, help_text='The groups this user belongs to. A user will get all permissions granted to each of their groups.', related_name='user_set', related_query_name='user', to='auth.group', verbose_name='groups')),
                ('user_permissions', models.ManyToManyField(blank=True, help_text='Specific permissions for this user.', related_name='user_set', related_query_name='user', to='auth.permission', verbose_name='user permissions')),
                ('school', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='people', to='accounts.school')),
            ],
            options={
                'verbose_name': 'user',
                'verbose_name_plural': 'users',
            },
            managers=[
                ('objects', django.contrib.auth.models.UserManager()),
            ],
        ),
        migrations.CreateModel(
            name='LoginCard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('words_hash', models.CharField(max_length=64)),
                ('pictures_hash', models.CharField(max_length=64)),
                ('issued_at', models.DateTimeField(auto_now_add=True)),
                ('user', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='card', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'login card',
                'verbose_name_plural': 'login cards',
            },
        ),
        migrations.CreateModel(
            name='Passkey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('credential_id', models.CharField(max_length=1400, unique=True)),
                ('credential', models.TextField(help_text="WebAuthn's attested credential data, base64url.")),
                ('uses', models.BigIntegerField(default=0, help_text="The device's own count, 0 without one.")),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('used_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='passkeys', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'passkey',
                'verbose_name_plural': 'passkeys',
            },
        ),
        migrations.CreateModel(
            name='FailedLogin',
            fields=[
                ('account', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('wrong', models.PositiveIntegerField(default=0)),
                ('locked_until', models.DateTimeField(null=True)),
                ('last_at', models.DateTimeField(auto_now=True)),
            ],
        ),
        migrations.CreateModel(
            name='AuditEntry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('actor_id', models.BigIntegerField(help_text='Who did it; nobody: the site itself.', null=True)),
                ('action', models.CharField(max_length=40)),
                ('subject_kind', models.CharField(max_length=20)),
                ('subject_id', models.BigIntegerField(null=True)),
                ('detail', models.JSONField(default=dict, help_text='Numbers and fixed words only, never a name.')),
                ('school', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='audit_entries', to='accounts.school')),
            ],
            options={
                'verbose_name': 'activity',
                'verbose_name_plural': 'activity log',
                'ordering': ['-at', '-pk'],
                'indexes': [models.Index(fields=['school', '-at'], name='audit_of_a_school')],
            },
        ),
        migrations.CreateModel(
            name='ApiToken',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(blank=True, max_length=60, verbose_name='name')),
                ('scope', models.CharField(choices=[('read', 'Read only'), ('play', 'Read and play'), ('teach', 'Everything that you can do')], default='read', max_length=10, verbose_name='permissions')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('used_on', models.DateField(help_text='The day, no time: it is no log.', null=True)),
                ('expires_at', models.DateTimeField(db_index=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='api_tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'API token',
                'verbose_name_plural': 'API tokens',
            },
        ),
        migrations.CreateModel(
            name='BrowserSession',
            fields=[
                ('session_key', models.CharField(max_length=40, primary_key=True, serialize=False, verbose_name='session key')),
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('seen_at', models.DateTimeField(help_text='Updated at most once an hour.')),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='browser_sessions', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
            },
        ),
        migrations.CreateModel(
            name='Classroom',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('deleted_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('name', models.CharField(max_length=100, verbose_name='name')),
                ('join_code', models.CharField(default=osmosmjerka.accounts.models.new_join_code, max_length=12, unique=True)),
                ('is_join_open', models.BooleanField(default=False, help_text='Turn this on while your class is joining, then turn it off.', verbose_name='students can join with the class code')),
                ('uses_pictures', models.BooleanField(default=False, help_text='For students who cannot read yet. Anyone with the class code can see the names.', verbose_name='students log in by tapping their name and pictures')),
                ('card_language', models.CharField(blank=True, help_text='The words on newly printed cards are in this language, so that students can type them.', max_length=10, verbose_name='language of the login cards')),
                ('words_a_day', models.PositiveSmallIntegerField(default=24, help_text='For each student. At most eight of them are new.', validators=[django.core.validators.MinValueValidator(4), django.core.validators.MaxValueValidator(100)], verbose_name='words to practise per day')),
                ('has_daily_puzzle', models.BooleanField(default=False, help_text='One puzzle each day that all students of the class can play.', verbose_name='puzzle of the day')),
                ('is_daily_puzzle_declined', models.BooleanField(default=False, editable=False, help_text='Whether it is not to be offered any more.')),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
                ('erasure_warned_at', models.DateTimeField(blank=True, editable=False, help_text='When an e-mail that warns was delivered.', null=True)),
                ('erasure_seen_at', models.DateTimeField(blank=True, editable=False, help_text='When a page first warned who can keep it.', null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('deleted_by', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('school', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='classrooms', to='accounts.school')),
            ],
            options={
                'verbose_name': 'class',
                'verbose_name_plural': 'classes',
                'ordering': [osmosmjerka.db.collation.Alphabetical('name'), 'pk'],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('co_teacher', 'Co-teacher'), ('substitute', 'Substitute'), ('viewer', 'Viewer'), ('student', 'Student')], default='student', max_length=20)),
                ('until', models.DateField(blank=True, help_text='Of a teacher: the last day of access.', null=True, verbose_name='last day')),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('classroom', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='accounts.classroom')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('classroom', 'user'), name='one_membership_a_class'), models.CheckConstraint(condition=models.Q(('until', None), ('role__in', ['co_teacher', 'substitute', 'viewer']), _connector='OR'), name='owners_and_students_stay')],
            },
        ),
        migrations.AddField(
            model_name='classroom',
            name='members',
            field=models.ManyToManyField(related_name='classrooms', through='accounts.Membership', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='RosterImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('added', 'added'), ('undone', 'undone')], default='waiting', max_length=10)),
                ('ignored_columns', models.JSONField(default=list)),
                ('file_classes', models.JSONField(default=dict)),
                ('file_class', models.CharField(blank=True, max_length=255)),
                ('lists_everybody', models.BooleanField(default=False, help_text='Whether the file says who is in the class, and so who is not.')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('added_at', models.DateTimeField(null=True)),
                ('classroom', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rosters', to='accounts.classroom')),
                ('created_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='RosterLine',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('line', models.PositiveIntegerField()),
                ('name', models.CharField(blank=True, max_length=200)),
                ('shown', models.CharField(blank=True, max_length=80)),
                ('ids', models.JSONField(default=dict)),
                ('file_classes', models.JSONField(default=list)),
                ('problem', models.CharField(blank=True, max_length=300)),
                ('did', models.CharField(blank=True, choices=[('', 'nothing yet'), ('created', 'created'), ('joined', 'joined'), ('renamed', 'renamed')], max_length=10)),
                ('before', models.CharField(blank=True, max_length=80)),
                ('after', models.CharField(blank=True, max_length=80)),
                ('roster', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='lines', to='accounts.rosterimport')),
                ('student', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['line', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ExternalId',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.CharField(choices=[('oneroster', 'OneRoster sourcedId'), ('kolibri', 'Kolibri database id'), ('number', "student's number at the school")], max_length=10)),
                ('value', models.CharField(max_length=255)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='external_ids', to=settings.AUTH_USER_MODEL)),
                ('roster', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='external_ids', to='accounts.rosterimport')),
                ('school', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='accounts.school')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('school', 'source', 'value'), name='one_student_an_external_id')],
            },
        ),
        migrations.CreateModel(
            name='JoinRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=80)),
                ('state', models.CharField(choices=[('waiting', 'waiting'), ('accepted', 'accepted'), ('joined', 'joined')], default='waiting', max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('classroom', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='join_requests', to='accounts.classroom')),
                ('student', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['created_at', 'pk'],
                'indexes': [models.Index(fields=['classroom', 'created_at'], name='joins_of_a_class')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(help_text='In the class if there is one, else in the school.', max_length=20, verbose_name='role')),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(null=True)),
                ('classroom', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='accounts.classroom')),
                ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to=settings.AUTH_USER_MODEL)),
                ('school', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='accounts.school')),
            ],
            options={
                'verbose_name': 'invitation',
                'verbose_name_plural': 'invitations',
                'ordering': ['-created_at'],
            },
        ),
    ]
