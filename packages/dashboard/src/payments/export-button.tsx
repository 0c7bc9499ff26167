import { Button, Group, Loader, Text } from '@mantine/core'
import { useThrottledState } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconDownload, IconPlayerStop } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { ExportFormat } from '../api/export-format.ts'
import { saveFile } from '../api/save-file.ts'
import type { Inputs } from '../api/trpc.ts'
import { dayIn, useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { useFaultWords } from '../parts/use-fault-words.ts'
import { exportPayments } from './export-payments.ts'

const text = words({
  en: {
    xlsx: 'Export to Excel',
    csv: 'CSV',
    saved: 'Payments saved as an Excel workbook',
    stop: 'Stop',
    so: (rows: string) => `${rows} payments exported so far`,
    done: (rows: string) => `${rows} payments saved as CSV`,
    stopped: 'Export stopped. No file was saved.',
    failed: 'Export failed. No file was saved. Try again.',
  },
  id: {
    xlsx: 'Ekspor ke Excel',
    csv: 'CSV',
    saved: 'Pembayaran disimpan sebagai buku kerja Excel',
    stop: 'Hentikan',
    so: (rows: string) => `${rows} pembayaran sudah diekspor`,
    done: (rows: string) => `${rows} pembayaran disimpan sebagai CSV`,
    stopped: 'Ekspor dihentikan. Tidak ada berkas yang disimpan.',
    failed: 'Ekspor gagal. Tidak ada berkas yang disimpan. Coba lagi.',
  },
})

/**
 * Rows arrive too fast to read every count, so the displayed row count changes at most once in this many milliseconds.
 */
const SHOWN_EVERY_MS = 200

export function ExportButton({ filters }: { filters: Inputs['payments']['list'] }) {
  const t = useWords(text)
  const { count } = useFormat()
  const inWords = useFaultWords()
  const [rows, setRows] = useThrottledState(0, SHOWN_EVERY_MS)
  const [isRunning, setRunning] = useState(false)
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])

  async function start(format: ExportFormat) {
    stop.current = new AbortController()
    const { signal } = stop.current
    let exported = 0
    setRows(0)
    setRunning(true)
    try {
      const csv = await exportPayments({
        filters,
        format,
        signal,
        onRows(soFar) {
          exported = soFar
          setRows(soFar)
        },
      })
      saveFile(csv, `gapura-payments-${filters.mode ?? 'all'}-${dayIn(new Date())}.${format}`)
      notifications.show({ message: format === 'csv' ? t.done(count(exported)) : t.saved, color: 'teal' })
    } catch (error) {
      if (signal.aborted) notifications.show({ message: t.stopped })
      else
        notifications.show({
          title: t.failed,
          message: inWords(error),
          color: 'red',
          autoClose: 10_000,
        })
    } finally {
      setRunning(false)
    }
  }

  if (!isRunning)
    return (
      <Button.Group>
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={() => void start('xlsx')}>
          {t.xlsx}
        </Button>
        <Button variant="default" onClick={() => void start('csv')}>
          {t.csv}
        </Button>
      </Button.Group>
    )
  return (
    <Group gap="sm">
      <Loader size="xs" />
      <Text size="sm" className="figures">
        {t.so(count(rows))}
      </Text>
      <Button
        variant="default"
        leftSection={<IconPlayerStop size={16} />}
        onClick={() => stop.current.abort()}
        autoFocus
      >
        {t.stop}
      </Button>
    </Group>
  )
}
