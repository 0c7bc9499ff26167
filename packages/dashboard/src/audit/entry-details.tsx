import { Stack, Text, Title } from '@mantine/core'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Facts } from '../parts/facts.tsx'
import { TenantName } from '../tenants/tenant-name.tsx'
import { Act } from './act.tsx'
import { Actor } from './actor.tsx'
import { changesOf, type Entry } from './entry.ts'
import classes from './entry-details.module.css'

const text = words({
  en: {
    when: 'Time',
    who: 'Performed by',
    tenant: 'Tenant',
    action: 'Action code',
    subject: 'Object ID',
    request: 'Request ID',
    changes: 'What changed',
    field: 'Field',
    before: 'Before',
    after: 'After',
    nothing:
      'The audit log does not record the changed values, because they are secret or shown on the changed item.',
  },
  id: {
    when: 'Waktu',
    who: 'Pelaku',
    tenant: 'Tenant',
    action: 'Kode tindakan',
    subject: 'ID objek',
    request: 'ID permintaan',
    changes: 'Yang berubah',
    field: 'Kolom',
    before: 'Sebelum',
    after: 'Sesudah',
    nothing:
      'Log audit tidak mencatat nilai yang diubah, karena nilai itu rahasia atau dapat dilihat pada data yang diubah.',
  },
})

export function EntryDetails({ of: entry, close }: { of: Entry; close: () => void }) {
  const t = useWords(text)
  const format = useFormat()
  const { tenant_id, subject_id, request_id } = entry
  return (
    <Dialog onClose={close} title={<Act of={entry} />} size="lg">
      <Stack>
        <Facts
          items={[
            [
              t.when,
              <time key="when" dateTime={entry.at}>
                {format.exactTime(entry.at)}
              </time>,
            ],
            [t.who, <Actor key="who" of={entry} />],
            [t.tenant, tenant_id && <TenantName key="tenant" id={tenant_id} />],
            [
              t.action,
              <span key="action" className="mono">
                {entry.action}
              </span>,
            ],
            [t.subject, subject_id && <Copied key="subject" value={subject_id} what={t.subject} />],
            [t.request, request_id && <Copied key="request" value={request_id} what={t.request} />],
          ]}
        />
        <Title order={3} size="h5">
          {t.changes}
        </Title>
        <Changes of={entry} />
      </Stack>
    </Dialog>
  )
}

function Changes({ of: entry }: { of: Entry }) {
  const t = useWords(text)
  const changes = changesOf(entry)
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t.nothing}
      </Text>
    )
  return (
    <table className={classes.changes}>
      <thead>
        <tr>
          <th scope="col">{t.field}</th>
          <th scope="col">{t.before}</th>
          <th scope="col">{t.after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ name, before, after }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{written(before)}</td>
            <td>{written(after)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const written = (value: unknown): string =>
  value === undefined || value === null
    ? '–'
    : typeof value === 'string'
      ? value
      : JSON.stringify(value, null, 1)
