import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { useAccount } from '../session/account.ts'
import { useMode } from '../shell/mode.ts'
import { DataTable } from '../table/data-table.tsx'
import { nextPage, PAGE_SIZE, useEndless } from '../table/endless.ts'
import { ListCount, loaded } from '../table/list-count.tsx'
import { inOrder } from './key-state.ts'
import { useKeyActs } from './use-key-acts.tsx'
import { useKeyColumns } from './use-key-columns.tsx'

const text = words({
  en: {
    title: 'API keys',
    about: 'Your server calls the API with an API key. Payments created with a test key move no real money.',
    create: 'New key',
    none: 'No API key yet',
    count: (count: number, written: string) => (count === 1 ? '1 key' : `${written} keys`),
    how: 'Create an API key and add it to your server. The server then uses the key to create payments.',
  },
  id: {
    title: 'Kunci API',
    about:
      'Server Anda memanggil API dengan kunci API. Pembayaran dengan kunci uji coba tidak memindahkan uang sungguhan.',
    create: 'Kunci baru',
    none: 'Belum ada kunci API',
    count: (_: number, written: string) => `${written} kunci`,
    how: 'Buat kunci API, lalu pasang di server Anda. Server membuat pembayaran dengan kunci itu.',
  },
})

export function ApiKeysPage() {
  const t = useWords(text)
  const [mode] = useMode()
  const { begin, dialogs } = useKeyActs(useAccount().id)
  const { rows, ...list } = useEndless(
    useInfiniteQuery(trpc.keys.listOwn.infiniteQueryOptions({ limit: PAGE_SIZE }, nextPage)),
  )
  const create = (
    <Button leftSection={<IconPlus size={16} />} onClick={() => begin({ type: 'create' })}>
      {t.create}
    </Button>
  )
  return (
    <Page title={t.title} description={t.about} actions={create}>
      <ListCount total={loaded({ rows, ...list })} inWords={t.count} />
      <Panel isFlush>
        <DataTable
          label={t.title}
          columns={useKeyColumns(begin)}
          rows={rows && inOrder(rows, mode, new Date())}
          {...list}
          rowKey={key => key.id}
          empty={<Empty title={t.none}>{t.how}</Empty>}
        />
      </Panel>
      {dialogs}
    </Page>
  )
}
