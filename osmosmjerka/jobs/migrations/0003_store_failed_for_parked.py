from django.db import migrations


def parked_to_failed(apps, schema_editor):
    _jobs(apps, schema_editor).filter(state='parked').update(state='failed')


def failed_to_parked(apps, schema_editor):
    _jobs(apps, schema_editor).filter(state='failed').update(state='parked')


def _jobs(apps, schema_editor):
    return apps.get_model('jobs', 'Job').objects.using(schema_editor.connection.alias)


class Migration(migrations.Migration):

    dependencies = [
        ('jobs', '0002_name_attempts_and_failed'),
    ]

    operations = [
        migrations.RunPython(parked_to_failed, failed_to_parked),
    ]
