import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { trpc } from '../../api/trpc.ts'
import { useWords, words } from '../../language/language.tsx'
import { TextLink } from '../../parts/links.tsx'
import { Panel } from '../../parts/panel.tsx'
import { Empty } from '../../parts/states.tsx'
import { useIsPermitted } from '../../session/account.ts'
import { useMode } from '../../shell/mode.ts'
import { type Column, DataTable } from '../../table/data-table.tsx'
import { ListCount, loaded } from '../../table/list-count.tsx'
import { TwoLines } from '../../table/two-lines.tsx'
import { EndpointTag } from './endpoint-tag.tsx'
import { type ListedEndpoint, scheduleWords } from './endpoint-words.ts'

const EndpointForm = lazy(() => import('./endpoint-form.tsx'))

const text = words({
  en: {
    title: 'Additional endpoints',
    create: 'New endpoint',
    none: 'No additional endpoint',
    count: (count: number, written: string) => (count === 1 ? '1 endpoint' : `${written} endpoints`),
    how: 'An additional endpoint sends the events you choose to another system, such as your accounting software.',
    url: 'URL, description',
    events: 'Events',
    all: 'All events',
    schedule: 'Retries',
    status: 'Status',
  },
  id: {
    title: 'Endpoint tambahan',
    create: 'Endpoint baru',
    none: 'Belum ada endpoint tambahan',
    count: (_: number, written: string) => `${written} endpoint`,
    how: 'Endpoint tambahan mengirim event pilihan ke sistem lain, misalnya perangkat lunak akuntansi.',
    url: 'URL, keterangan',
    events: 'Event',
    all: 'Semua event',
    schedule: 'Percobaan ulang',
    status: 'Status',
  },
})

/** Lists the tenant's webhook endpoints (in addition to the callback URL) for the current mode (live or test). */
export function Endpoints() {
  const t = useWords(text)
  const navigate = useNavigate()
  const [mode] = useMode()
  const isDeveloper = useIsPermitted('developer')
  const [isCreating, form] = useDisclosure()
  const { data, error, refetch } = useQuery(trpc.webhookEndpoints.list.queryOptions({ mode }))
  return (
    <Panel
      title={t.title}
      isFlush
      actions={
        isDeveloper && (
          <Button variant="default" size="xs" leftSection={<IconPlus size={14} />} onClick={form.open}>
            {t.create}
          </Button>
        )
      }
    >
      <ListCount
        total={loaded({ rows: data?.items, more: { hasMore: data?.next_cursor !== null } })}
        inWords={t.count}
        isInPanel
      />
      <DataTable
        label={t.title}
        columns={useColumns()}
        rows={data?.items}
        error={data ? undefined : (error ?? undefined)}
        retry={() => void refetch()}
        rowKey={({ id }) => id}
        onOpen={({ id }) =>
          void navigate({ to: '/webhooks/endpoints/$endpointId', params: { endpointId: id } })
        }
        empty={<Empty title={t.none}>{t.how}</Empty>}
      />
      <Suspense>{isCreating && <EndpointForm close={form.close} />}</Suspense>
    </Panel>
  )
}

function useColumns(): Column<ListedEndpoint>[] {
  const t = useWords(text)
  const schedules = useWords(scheduleWords)
  return [
    {
      id: 'url',
      header: t.url,
      share: 3,
      cell: ({ id, url, description }) => (
        <TwoLines
          top={
            <TextLink to="/webhooks/endpoints/$endpointId" params={{ endpointId: id }} className="mono">
              {url}
            </TextLink>
          }
          below={description}
        />
      ),
    },
    {
      id: 'events',
      header: t.events,
      share: 2,
      hidden: 'phone',
      cell: ({ event_types: types }) =>
        types.length === 0 ? t.all : <span title={types.join(', ')}>{types.join(', ')}</span>,
    },
    {
      id: 'schedule',
      header: t.schedule,
      share: 1.6,
      hidden: 'tablet',
      cell: ({ schedule }) => schedules[schedule],
    },
    {
      id: 'status',
      header: t.status,
      share: 1,
      cell: ({ enabled }) => <EndpointTag isEnabled={enabled} />,
    },
  ]
}
