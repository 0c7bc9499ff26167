import { deviceName } from '@gapura/server/device-name'
import { Button } from '@mantine/core'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { client, type Outputs, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { Tag } from '../parts/tag.tsx'
import { useAct } from '../parts/use-act.ts'
import { type Column, DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { ListCount, loaded } from '../table/list-count.tsx'
import { OnPhone } from '../table/on-phone.tsx'

type Session = Outputs['sessions']['list']['items'][number]

const text = words({
  en: {
    title: 'Sessions',
    device: 'Device',
    address: 'IP address',
    used: 'Last used',
    act: 'Action',
    current: 'This device',
    unknown: 'Unknown device',
    end: 'End',
    ended: 'Session ended',
    endOthers: 'End all other sessions',
    endedOthers: 'All other sessions have ended',
    none: 'No sessions',
    count: (count: number, written: string) => (count === 1 ? '1 session' : `${written} sessions`),
  },
  id: {
    title: 'Sesi',
    device: 'Perangkat',
    address: 'Alamat IP',
    used: 'Terakhir dipakai',
    act: 'Tindakan',
    current: 'Perangkat ini',
    unknown: 'Perangkat tidak dikenal',
    end: 'Akhiri',
    ended: 'Sesi diakhiri',
    endOthers: 'Akhiri semua sesi lain',
    endedOthers: 'Semua sesi lain telah berakhir',
    none: 'Tidak ada sesi',
    count: (_: number, written: string) => `${written} sesi`,
  },
})

export function SessionList() {
  const t = useWords(text)
  const queries = useQueryClient()
  const onSuccess = () => void queries.invalidateQueries({ queryKey: trpc.sessions.pathKey() })
  const list = useEndless(
    useInfiniteQuery(trpc.sessions.list.infiniteQueryOptions({ limit: PAGE_SIZE }, nextPage)),
  )
  const endingOthers = useAct({
    done: t.endedOthers,
    mutationFn: () => client.sessions.endOthers.mutate(),
    onSuccess,
  })
  const hasOthers = list.rows?.some(session => !session.is_current) ?? false
  return (
    <Panel
      isFlush
      title={t.title}
      actions={
        hasOthers && (
          <Button
            size="xs"
            variant="default"
            loading={endingOthers.isPending}
            onClick={() => endingOthers.mutate()}
          >
            {t.endOthers}
          </Button>
        )
      }
    >
      <ListCount total={loaded(list)} inWords={t.count} isInPanel />
      <DataTable
        label={t.title}
        columns={useColumns()}
        {...list}
        rowKey={session => session.id}
        empty={<Empty title={t.none} />}
      />
    </Panel>
  )
}

function useColumns(): Column<Session>[] {
  const t = useWords(text)
  return [
    {
      id: 'device',
      header: t.device,
      share: 2,
      cell: ({ user_agent, address, is_current, last_used_at }) => (
        <>
          <span title={user_agent ?? undefined}>
            {deviceName(user_agent) ?? t.unknown} {is_current && <Tag tone="good">{t.current}</Tag>}
          </span>
          <OnPhone>
            <Moment at={last_used_at} /> {address && `· ${address}`}
          </OnPhone>
        </>
      ),
    },
    { id: 'address', header: t.address, hidden: 'phone', cell: ({ address }) => address ?? '–' },
    {
      id: 'used',
      header: t.used,
      align: 'end',
      hidden: 'phone',
      cell: ({ last_used_at }) => <Moment at={last_used_at} />,
    },
    {
      id: 'act',
      header: t.act,
      share: 0.7,
      align: 'end',
      isHeaderHidden: true,
      cell: session => !session.is_current && <EndButton session={session} />,
    },
  ]
}

function EndButton({ session }: { session: Session }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const ending = useAct({
    done: t.ended,
    mutationFn: () => client.sessions.end.mutate({ session_id: session.id }),
    onSuccess: () => void queries.invalidateQueries({ queryKey: trpc.sessions.pathKey() }),
  })
  return (
    <Button size="compact-xs" variant="subtle" loading={ending.isPending} onClick={() => ending.mutate()}>
      {t.end}
    </Button>
  )
}
