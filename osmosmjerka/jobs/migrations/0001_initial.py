import django.db.models.deletion
import django.utils.timezone
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('accounts', '__first__'),
    ]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ('kind', models.CharField(max_length=60)),
                ('key', models.CharField(help_text='Tasks with the same key are done only once.', max_length=200, unique=True)),
                ('queue', models.CharField(default='default', max_length=30)),
                ('subject', models.CharField(blank=True, editable=False, max_length=100)),
                ('arguments', models.JSONField(default=dict)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('deaths', models.PositiveSmallIntegerField(default=0, editable=False)),
                ('lease', models.UUIDField(blank=True, editable=False, help_text='ID of the worker process that runs it.', null=True)),
                ('lease_until', models.DateTimeField(blank=True, null=True)),
                ('worker', models.CharField(blank=True, default='', editable=False, max_length=200)),
                ('ready_at', models.DateTimeField(default=django.utils.timezone.now, help_text='When it is (next) due to run.')),
                ('progress', models.PositiveSmallIntegerField(default=0, help_text='Percent.')),
                ('message', models.TextField(blank=True)),
                ('result', models.JSONField(default=dict)),
                ('error', models.TextField(blank=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('finished_at', models.DateTimeField(blank=True, null=True)),
                ('owner', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='jobs', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'task',
                'verbose_name_plural': 'tasks',
                'ordering': ['-created_at'],
                'indexes': [models.Index(condition=models.Q(('state__in', ['queued', 'running'])), fields=['state', 'lease_until'], name='jobs_unfinished'), models.Index(fields=['subject', '-created_at'], name='jobs_about'), models.Index(fields=['queue', 'state', 'ready_at'], name='jobs_waiting'), models.Index(fields=['queue', 'started_at', 'owner'], name='jobs_served'), models.Index(fields=['state', 'finished_at'], name='jobs_finished')],
            },
        ),
        migrations.CreateModel(
            name='WorkerHeartbeat',
            fields=[
                ('name', models.CharField(max_length=200, primary_key=True, serialize=False)),
                ('seen_at', models.DateTimeField()),
                ('slots', models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name='OutsideService',
            fields=[
                ('name', models.CharField(max_length=60, primary_key=True, serialize=False)),
                ('next_at', models.DateTimeField(help_text='Until when the requests that were let out last.')),
                ('failures', models.PositiveIntegerField(default=0, help_text='In a row.')),
                ('left_alone_until', models.DateTimeField(blank=True, null=True)),
            ],
        ),
    ]
