import django.core.validators
import django.db.models.deletion
import puzzles.models
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '0001_initial'),
        ('accounts', '__first__'),
        ('vocab', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='CrosswordSearch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('deleted_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('code', models.CharField(default=puzzles.models.new_code, editable=False, max_length=16, unique=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('title', models.CharField(max_length=200, verbose_name='title')),
                ('settings', models.JSONField(default=dict)),
                ('seed', models.BigIntegerField()),
                ('state', models.CharField(choices=[('searching', 'Searching'), ('over', 'Time is up'), ('stopped', 'Stopped'), ('failed', 'Nothing found')], default='searching', max_length=10)),
                ('reason', models.TextField(blank=True)),
                ('seconds', models.FloatField(help_text='How long it may search in all.')),
                ('spent', models.FloatField(default=0, help_text='Seconds that it has searched.')),
                ('rounds', models.PositiveIntegerField(default=0, help_text='How often it began afresh.')),
                ('goes', models.PositiveSmallIntegerField(default=1, help_text='How often it was asked to go on.')),
                ('stop_wanted', models.BooleanField(default=False)),
                ('version', models.PositiveIntegerField(default=0, help_text='Grows when `found` changes.')),
                ('found', models.JSONField(default=dict, help_text='What puzzles.searches.shortlist.Shortlist keeps.')),
                ('kept', models.JSONField(default=list, help_text='Candidates that no better one may push out.')),
                ('taken', models.JSONField(default=dict, help_text='{candidate: code of the puzzle that was made of it}')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='crossword_searches', to=settings.AUTH_USER_MODEL)),
                ('deleted_by', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('vocabulary_list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='crossword_searches', to='vocab.vocabularylist')),
            ],
            options={
                'verbose_name': 'crossword search',
                'verbose_name_plural': 'crossword searches',
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='SyncCursor',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20, unique=True)),
                ('last_at', models.DateTimeField(null=True)),
                ('last_key', models.CharField(blank=True, max_length=40)),
            ],
        ),
        migrations.CreateModel(
            name='RefusedStatement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(help_text='As in SyncCursor.', max_length=20)),
                ('key', models.CharField(help_text='Of the review or session.', max_length=40)),
                ('reason', models.TextField(help_text='What the store answered.')),
                ('at', models.DateTimeField(auto_now=True)),
                ('student', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='refused_statements', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'refused statement',
                'verbose_name_plural': 'refused statements',
                'ordering': ['-at', '-pk'],
                'constraints': [models.UniqueConstraint(fields=('kind', 'key'), name='a_statement_is_refused_once')],
            },
        ),
        migrations.CreateModel(
            name='ClassGoal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('words', models.PositiveIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(100000)], verbose_name='words to learn together')),
                ('starts_on', models.DateField()),
                ('ends_on', models.DateField(verbose_name='by')),
                ('classroom', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='goals', to='accounts.classroom')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'class goal',
                'verbose_name_plural': 'class goals',
                'ordering': ['-starts_on', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='OwnGoal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('words', models.PositiveSmallIntegerField(validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(200)], verbose_name='words a day')),
                ('student', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='own_goal', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'daily goal',
                'verbose_name_plural': 'daily goals',
            },
        ),
        migrations.CreateModel(
            name='Ranking',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('classroom', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='ranking', to='accounts.classroom')),
            ],
        ),
        migrations.CreateModel(
            name='Nickname',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('classroom', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='nicknames', to='accounts.classroom')),
                ('student', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='nicknames', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'nickname',
                'verbose_name_plural': 'nicknames',
                'constraints': [models.UniqueConstraint(fields=('classroom', 'student'), name='one_nickname_a_class'), models.UniqueConstraint(fields=('classroom', 'name'), name='a_nickname_is_one_students')],
            },
        ),
        migrations.CreateModel(
            name='DailyPuzzle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('until', models.DateTimeField(help_text='When its day ends where the school is.')),
                ('classroom', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='daily_puzzles', to='accounts.classroom')),
            ],
            options={
                'verbose_name': 'puzzle of the day',
                'verbose_name_plural': 'puzzles of the day',
                'ordering': ['-day', '-pk'],
                'constraints': [models.UniqueConstraint(fields=('classroom', 'day'), name='one_daily_puzzle_a_class')],
            },
        ),
        migrations.CreateModel(
            name='Puzzle',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('deleted_at', models.DateTimeField(blank=True, editable=False, null=True)),
                ('code', models.CharField(default=puzzles.models.new_code, editable=False, max_length=16, unique=True)),
                ('kind', models.CharField(max_length=20, verbose_name='type')),
                ('title', models.CharField(max_length=200, verbose_name='title')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('settings', models.JSONField(default=dict)),
                ('seed', models.BigIntegerField()),
                ('state', models.CharField(choices=[('queued', 'In preparation'), ('ready', 'Ready'), ('failed', 'Failed')], default='queued', max_length=10)),
                ('reason', models.TextField(blank=True, verbose_name='reason for the failure')),
                ('offer', models.PositiveSmallIntegerField(blank=True, help_text='With how many words it can be made instead.', null=True)),
                ('grid', models.JSONField(default=list)),
                ('unplaced', models.JSONField(default=list, help_text='Words that are not in the grid: [{word, reason}]')),
                ('grids_tried', models.PositiveSmallIntegerField(default=1, help_text='How many grids the generator began until one kept its rules.')),
                ('entries', models.JSONField(blank=True, default=list, help_text='The entries it is made of; none: those of the whole list.')),
                ('is_free_practice', models.BooleanField(default=False, help_text='Does not change when words are due for review.', verbose_name='played for fun')),
                ('pinned', models.JSONField(blank=True, default=list, help_text='The ids of entries that it must contain.')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='puzzles', to=settings.AUTH_USER_MODEL)),
                ('daily', models.OneToOneField(blank=True, help_text='The day of a class for which it was made.', null=True, on_delete=django.db.models.deletion.CASCADE, related_name='puzzle', to='puzzles.dailypuzzle')),
                ('deleted_by', models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('vocabulary_list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='puzzles', to='vocab.vocabularylist')),
            ],
            options={
                'verbose_name': 'puzzle',
                'verbose_name_plural': 'puzzles',
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Placement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slot', models.CharField(default=puzzles.models.new_slot, max_length=16)),
                ('position', models.PositiveSmallIntegerField()),
                ('term', models.CharField(max_length=300)),
                ('playing_form', models.CharField(blank=True, help_text='What is in the grid, if that is not the term.', max_length=300)),
                ('spoken_form', models.CharField(blank=True, help_text='What a voice says, if that is not the played form.', max_length=300)),
                ('translations', models.JSONField(default=list)),
                ('tiles', models.JSONField()),
                ('cells', models.JSONField()),
                ('echoes', models.JSONField(default=list, help_text='Other cells that read the word, because other words contain it.')),
                ('number', models.PositiveSmallIntegerField(null=True)),
                ('direction', models.CharField(blank=True, max_length=6)),
                ('sentence', models.TextField(blank=True, help_text="The entry's example with a gap for the term.")),
                ('hint', models.TextField(blank=True, help_text="The entry's hint, which does not tell the term.")),
                ('is_bonus', models.BooleanField(default=False)),
                ('entry', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='vocab.entry')),
                ('puzzle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='placements', to='puzzles.puzzle')),
            ],
            options={
                'ordering': ['position'],
                'constraints': [models.UniqueConstraint(fields=('puzzle', 'slot'), name='a_slot_names_one_placement'), models.UniqueConstraint(fields=('puzzle', 'position'), name='placements_are_ordered')],
            },
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('is_draft', models.BooleanField(default=False, verbose_name='draft')),
                ('opens_at', models.DateTimeField(blank=True, null=True, verbose_name='opens')),
                ('due_at', models.DateTimeField(blank=True, null=True, verbose_name='due')),
                ('closes_at', models.DateTimeField(blank=True, null=True, verbose_name='closes')),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
                ('is_adaptive', models.BooleanField(default=False, help_text='Each student gets a puzzle of the words they should review now.', verbose_name='personalised')),
                ('attempts', models.PositiveSmallIntegerField(default=1, help_text='How many times each student may play it.', validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(50)], verbose_name='attempts')),
                ('counting', models.CharField(choices=[('best', 'best attempt'), ('last', 'last attempt')], default='best', help_text='The best attempt is the one with the least help. Every attempt is practice.', max_length=4, verbose_name='which attempt counts')),
                ('pinned', models.JSONField(blank=True, default=list, help_text='Entries that everybody gets in an adaptive one.')),
                ('chosen_students', models.ManyToManyField(blank=True, help_text='None selected: the whole class.', related_name='+', to=settings.AUTH_USER_MODEL)),
                ('classroom', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='accounts.classroom')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to=settings.AUTH_USER_MODEL)),
                ('excused', models.ManyToManyField(blank=True, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('puzzle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='puzzles.puzzle')),
            ],
            options={
                'verbose_name': 'assignment',
                'verbose_name_plural': 'assignments',
                'ordering': ['-created_at', '-pk'],
                'constraints': [models.UniqueConstraint(fields=('puzzle', 'classroom'), name='given_once_a_class')],
            },
        ),
        migrations.AddField(
            model_name='puzzle',
            name='adapted_for',
            field=models.ForeignKey(blank=True, help_text="The assignment of which this is one student's own version.", null=True, on_delete=django.db.models.deletion.CASCADE, related_name='own_puzzles', to='puzzles.assignment'),
        ),
        migrations.CreateModel(
            name='PlaySession',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('number', models.PositiveSmallIntegerField(default=1, help_text="Which of the student's attempts it is.")),
                ('started_at', models.DateTimeField(auto_now_add=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('seconds', models.PositiveIntegerField(help_text='How long it was played, without pauses, once it is finished.', null=True)),
                ('is_unaided', models.BooleanField(default=False, help_text='Whether all words were found, and none with a hint.')),
                ('draft', models.JSONField(default=dict, help_text="Letters typed so far: {'row,column': tile}")),
                ('student', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to=settings.AUTH_USER_MODEL)),
                ('puzzle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sessions', to='puzzles.puzzle')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('puzzle', 'student', 'number'), name='one_session_an_attempt')],
            },
        ),
        migrations.CreateModel(
            name='Move',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('client_id', models.UUIDField(help_text='Made by the client; sent twice, counted once.')),
                ('outcome', models.CharField(choices=[('found', 'Found'), ('wrong', 'Wrong'), ('hint', 'Hint'), ('revealed', 'Revealed'), ('bonus', 'Bonus word found')], max_length=10)),
                ('answer', models.JSONField(default=dict)),
                ('latency_ms', models.PositiveIntegerField(null=True)),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('placement', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='moves', to='puzzles.placement')),
                ('session', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='moves', to='puzzles.playsession')),
            ],
            options={
                'ordering': ['at', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('session', 'client_id'), name='a_move_counts_once'), models.UniqueConstraint(condition=models.Q(('outcome__in', ['found', 'revealed', 'bonus'])), fields=('session', 'placement'), name='a_word_is_found_once')],
            },
        ),
        migrations.CreateModel(
            name='WorksheetSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('content', models.CharField(choices=[('same', 'The same puzzle for all'), ('versions', 'Versions A, B, C…: the same words in different grids'), ('each', 'A different grid for each student'), ('own', 'For each student, the words they should review now')], max_length=10)),
                ('versions', models.PositiveSmallIntegerField(default=1, help_text='How many grids of the same words.')),
                ('printing', models.JSONField(default=dict, help_text='What of puzzles.exports.Printing is not as usual.')),
                ('language', models.CharField(help_text='Of what is written beside the puzzle.', max_length=10)),
                ('seed', models.BigIntegerField()),
                ('state', models.CharField(choices=[('queued', 'In preparation'), ('ready', 'Ready'), ('failed', 'Failed')], default='queued', max_length=10)),
                ('reason', models.TextField(blank=True, verbose_name='reason for the failure')),
                ('sheets', models.JSONField(default=list, help_text='[{student, grid, words}]; see puzzles.worksheets.layouts.')),
                ('pdf', models.BinaryField(default=b'')),
                ('key_pdf', models.BinaryField(default=b'', help_text='The solutions.')),
                ('classroom', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='worksheet_sets', to='accounts.classroom')),
                ('created_by', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='worksheet_sets', to=settings.AUTH_USER_MODEL)),
                ('named', models.ManyToManyField(blank=True, help_text='Students on the sheets.', related_name='+', to=settings.AUTH_USER_MODEL)),
                ('puzzle', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='worksheet_sets', to='puzzles.puzzle')),
            ],
            options={
                'verbose_name': 'set of worksheets',
                'verbose_name_plural': 'sets of worksheets',
                'ordering': ['-created_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='CompleteList',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('level', models.PositiveSmallIntegerField(choices=[(0, 'new'), (1, 'learning'), (2, 'slipping'), (3, 'known for days'), (4, 'known for weeks'), (5, 'known for months')])),
                ('at', models.DateTimeField(auto_now_add=True)),
                ('student', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='complete_lists', to=settings.AUTH_USER_MODEL)),
                ('vocabulary_list', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='vocab.vocabularylist')),
            ],
            options={
                'verbose_name': 'complete list',
                'verbose_name_plural': 'complete lists',
                'constraints': [models.UniqueConstraint(fields=('student', 'vocabulary_list', 'level'), name='a_list_is_complete_once')],
            },
        ),
    ]
