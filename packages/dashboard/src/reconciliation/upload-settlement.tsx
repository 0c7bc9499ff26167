import { Alert, Button, FileButton, Group, Stack, Text } from '@mantine/core'
import { IconAlertCircle, IconCheck, IconUpload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { rest } from '../api/rest.ts'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { useFaultWords } from '../parts/use-fault-words.ts'

const text = words({
  en: {
    upload: (day: string) => `Upload CSV for ${day}`,
    columns:
      'The first line must contain the column names. The columns reference and amount (in rupiah) are required. The columns currency, status, paid_at, provider_payment_id and fee are optional. The file replaces the previous file for this account and day.',
    done: (lines: string, sum: string) => `Uploaded: ${lines} lines, ${sum}`,
    refused: 'The file was not uploaded',
    mend: 'Correct the file, then upload it again. If one line is invalid, the whole file is rejected.',
  },
  id: {
    upload: (day: string) => `Unggah CSV untuk ${day}`,
    columns:
      'Baris pertama harus berisi nama kolom. Wajib: reference dan amount (dalam rupiah). Opsional: currency, status, paid_at, provider_payment_id, dan fee. Berkas ini menggantikan berkas sebelumnya untuk akun dan tanggal ini.',
    done: (lines: string, sum: string) => `Terunggah: ${lines} baris, ${sum}`,
    refused: 'Berkas tidak diunggah',
    mend: 'Perbaiki berkas, lalu unggah lagi. Jika satu baris tidak valid, seluruh berkas ditolak.',
  },
})

type Given = {
  account: Outputs['providers']['list']['items'][number]
  date: string
  whenUploaded: () => void
}

export function UploadSettlement({ account, date, whenUploaded }: Given) {
  const t = useWords(text)
  const format = useFormat()
  const inWords = useFaultWords()
  const queries = useQueryClient()
  // Clears the file input. Otherwise, the input would report no change if the user chose the same file again.
  const forget = useRef<() => void>(null)
  const uploading = useMutation({
    mutationFn: async (file: File): Promise<Outputs['settlements']['upload']> => {
      const path = `/v1/providers/${account.provider_code}/accounts/${account.id}/settlements/${date}`
      const answer = await rest(path, {
        method: 'PUT',
        headers: { 'content-type': 'text/csv' },
        body: file,
      })
      return (await answer.json()).data
    },
    onSuccess() {
      void queries.invalidateQueries({ queryKey: trpc.settlements.list.pathKey() })
      whenUploaded()
    },
    onSettled: () => forget.current?.(),
  })
  return (
    <Stack px="lg" pb="md" gap="sm">
      <Group gap="sm" align="flex-start">
        <FileButton
          accept=".csv,text/csv"
          resetRef={forget}
          onChange={file => file && uploading.mutate(file)}
        >
          {given => (
            <Button
              {...given}
              variant="default"
              leftSection={<IconUpload size={16} />}
              loading={uploading.isPending}
            >
              {t.upload(format.shortDay(date))}
            </Button>
          )}
        </FileButton>
      </Group>
      <Text size="sm" c="dimmed">
        {t.columns}
      </Text>
      <div role="status">
        {uploading.data && (
          <Alert color="teal" icon={<IconCheck />}>
            {t.done(format.count(uploading.data.lines), format.money(uploading.data.amount))}
          </Alert>
        )}
        {uploading.error && (
          <Alert color="red" icon={<IconAlertCircle />} title={t.refused}>
            <Text size="sm" fw={600}>
              {inWords(uploading.error)}
            </Text>
            {t.mend}
          </Alert>
        )}
      </div>
    </Stack>
  )
}
