import { ActionIcon } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { exportFormats } from '../api/export-format.ts'
import { download } from '../api/rest.ts'
import { useWords, words } from '../language/language.tsx'
import { useAct } from '../parts/use-act.ts'

const text = words({
  en: { export: (date: string) => `Download the settlement for ${date} as an Excel workbook` },
  id: { export: (date: string) => `Unduh settlement ${date} sebagai buku kerja Excel` },
})

type Given = { of: { id: string; provider_code: string; date: string } }

export function SettlementExport({ of: { id, provider_code, date } }: Given) {
  const t = useWords(text)
  const exporting = useAct({
    mutationFn: () =>
      download(`/v1/providers/${provider_code}/accounts/${id}/settlements/${date}`, {
        type: exportFormats.xlsx,
        name: `settlement-${provider_code}-${date}.xlsx`,
      }),
  })
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t.export(date)}
      title={t.export(date)}
      loading={exporting.isPending}
      onClick={() => exporting.mutate()}
    >
      <IconDownload size={16} />
    </ActionIcon>
  )
}
