import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { inOrder } from '../api-keys/key-state.ts'
import { useKeyActs } from '../api-keys/use-key-acts.tsx'
import { useKeyColumns } from '../api-keys/use-key-columns.tsx'
import { useWords, words } from '../language/language.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useMode } from '../shell/mode.ts'
import { DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { ListCount, loaded } from '../table/list-count.tsx'
import type { Tenant } from './tenant-words.ts'

const text = words({
  en: {
    title: 'API keys',
    create: 'New key',
    none: 'No API key yet',
    count: (count: number, written: string) => (count === 1 ? '1 key' : `${written} keys`),
    how: 'The tenant’s server creates payments with an API key: a test key for tests, a live key for real money. The tenant’s users can also create keys.',
  },
  id: {
    title: 'Kunci API',
    create: 'Kunci baru',
    none: 'Belum ada kunci API',
    count: (_: number, written: string) => `${written} kunci`,
    how: 'Server tenant membuat pembayaran dengan kunci API: kunci uji coba untuk mencoba, kunci live untuk uang sungguhan. Pengguna tenant juga dapat membuat kunci.',
  },
})

export function TenantKeys({ tenant }: { tenant: Tenant }) {
  const t = useWords(text)
  const [mode] = useMode()
  const { begin, dialogs } = useKeyActs(tenant.id)
  const { rows, ...list } = useEndless(
    useInfiniteQuery(
      trpc.keys.list.infiniteQueryOptions({ tenant_id: tenant.id, limit: PAGE_SIZE }, nextPage),
    ),
  )
  return (
    <Panel
      isFlush
      title={t.title}
      actions={
        <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => begin({ type: 'create' })}>
          {t.create}
        </Button>
      }
    >
      <ListCount total={loaded({ rows, ...list })} inWords={t.count} isInPanel />
      <DataTable
        label={t.title}
        columns={useKeyColumns(begin)}
        rows={rows && inOrder(rows, mode, new Date())}
        {...list}
        rowKey={({ id }) => id}
        empty={<Empty title={t.none}>{t.how}</Empty>}
      />
      {dialogs}
    </Panel>
  )
}
