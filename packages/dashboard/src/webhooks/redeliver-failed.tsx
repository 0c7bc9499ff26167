import { Button, Select, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconRepeat } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { useAct } from '../parts/use-act.ts'
import { useMode } from '../shell/mode.ts'

const text = words({
  en: {
    open: 'Redeliver failed…',
    title: 'Redeliver all failed webhooks?',
    what: 'Gapura resends every event from the selected period that your server did not accept or that had no callback URL. New events are sent first. The event ID stays the same, so your server can skip events it has already processed. Before you ship an order because of an old event, check its payment: it may have been refunded since.',
    since: 'Period',
    act: 'Redeliver',
    none: 'No failed events in this period',
    done: (count: string) => `Webhooks to be redelivered: ${count}`,
  },
  id: {
    open: 'Kirim ulang yang gagal…',
    title: 'Kirim ulang semua webhook yang gagal?',
    what: 'Setiap event dalam periode ini yang tidak diterima server Anda, atau yang tidak memiliki URL callback, dicoba sekali lagi setelah event baru. ID event tetap sama, sehingga server Anda dapat melewati event yang sudah diproses. Sebelum mengirim barang karena event lama, periksa pembayarannya: dananya mungkin sudah dikembalikan.',
    since: 'Periode',
    act: 'Kirim ulang',
    none: 'Tidak ada event yang gagal dalam periode ini',
    done: (count: string) => `Webhook yang akan dikirim ulang: ${count}`,
  },
})

const HOUR_MS = 3_600_000

const periods = words({
  en: {
    '1': 'Last hour',
    '24': 'Last 24 hours',
    '168': 'Last 7 days',
    '720': 'Last 30 days',
  },
  id: { '1': '1 jam terakhir', '24': '24 jam terakhir', '168': '7 hari terakhir', '720': '30 hari terakhir' },
})

/**
 * Redelivers all failed webhooks of the current mode (live or test). `hasUrl` is true if the tenant has a
 * callback URL.
 */
export function RedeliverFailed({ hasUrl }: { hasUrl: boolean }) {
  const t = useWords(text)
  const names = useWords(periods)
  const format = useFormat()
  const queries = useQueryClient()
  const [isOpen, dialog] = useDisclosure()
  const [mode] = useMode()
  const [hours, setHours] = useState('24')
  const redelivering = useAct({
    mutationFn: () =>
      client.webhooks.redeliverFailed.mutate({
        since: new Date(Date.now() - Number(hours) * HOUR_MS).toISOString(),
        mode,
      }),
    onSuccess({ redelivered }) {
      notifications.show({ message: redelivered === 0 ? t.none : t.done(format.count(redelivered)) })
      void queries.invalidateQueries({ queryKey: trpc.webhooks.deliveries.pathKey() })
      dialog.close()
    },
  })
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconRepeat size={14} />}
        onClick={dialog.open}
        disabled={!hasUrl}
      >
        {t.open}
      </Button>
      <Confirm
        isOpen={isOpen}
        close={dialog.close}
        title={t.title}
        act={t.act}
        isActing={redelivering.isPending}
        onAct={() => redelivering.mutate()}
      >
        <Stack>
          {t.what}
          <Select
            label={t.since}
            value={hours}
            onChange={chosen => setHours(chosen ?? '24')}
            allowDeselect={false}
            data={Object.entries(names).map(([value, label]) => ({ value, label }))}
          />
        </Stack>
      </Confirm>
    </>
  )
}
