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

const text = words({
  en: {
    open: 'Deliver failed again…',
    title: 'Deliver all failed webhooks again?',
    what: 'Every event of that time which your server never took, or for which there was no URL, gets one more attempt, behind new events. Each carries the event id that it had, so a server that knows it does nothing twice.',
    since: 'Events of',
    act: 'Deliver again',
    none: 'No event of that time has failed',
    done: (count: string) => `Webhooks that are delivered again: ${count}`,
  },
  id: {
    open: 'Kirim ulang yang gagal…',
    title: 'Kirim ulang semua webhook yang gagal?',
    what: 'Setiap peristiwa dalam waktu tersebut yang tidak pernah diterima server Anda, atau yang belum punya URL, dicoba sekali lagi setelah peristiwa baru. ID peristiwanya tetap sama, sehingga server yang sudah mengenalnya tidak memproses dua kali.',
    since: 'Peristiwa dari',
    act: 'Kirim ulang',
    none: 'Tidak ada peristiwa yang gagal dalam waktu tersebut',
    done: (count: string) => `Webhook yang dikirim ulang: ${count}`,
  },
})

const HOUR_MS = 3_600_000

const periods = words({
  en: {
    '1': 'the last hour',
    '24': 'the last 24 hours',
    '168': 'the last 7 days',
    '720': 'the last 30 days',
  },
  id: { '1': '1 jam terakhir', '24': '24 jam terakhir', '168': '7 hari terakhir', '720': '30 hari terakhir' },
})

/** hasUrl: the tenant has a callback URL. */
export function RedeliverFailed({ hasUrl }: { hasUrl: boolean }) {
  const t = useWords(text)
  const names = useWords(periods)
  const format = useFormat()
  const queries = useQueryClient()
  const [isOpen, dialog] = useDisclosure()
  const [hours, setHours] = useState('24')
  const redelivering = useAct({
    mutationFn: () =>
      client.webhooks.redeliverFailed.mutate({
        since: new Date(Date.now() - Number(hours) * HOUR_MS).toISOString(),
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
