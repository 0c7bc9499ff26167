import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ExportFormat, exportFormats } from '../api/export-format.ts'
import { download } from '../api/rest.ts'
import { useWords, words } from '../language/language.tsx'
import { useAct } from './use-act.ts'

const text = words({
  en: { xlsx: 'Export to Excel', csv: 'CSV' },
  id: { xlsx: 'Ekspor ke Excel', csv: 'CSV' },
})

type Given = {
  /** The path of the list or report, including its query. */
  path: string
  /** The name of the downloaded file, without its extension. */
  name: string
}

/**
 * Downloads a list or a report, either as an Excel workbook or as CSV for spreadsheets. Both files contain amounts
 * in rupiah and times in Jakarta time.
 */
export function ExportButtons({ path, name }: Given) {
  const t = useWords(text)
  const exporting = useAct({
    mutationFn: (format: ExportFormat) =>
      download(format === 'csv' ? `${path}&style=spreadsheet` : path, {
        type: exportFormats[format],
        name: `${name}.${format}`,
      }),
  })
  return (
    <Button.Group>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        loading={exporting.isPending}
        onClick={() => exporting.mutate('xlsx')}
      >
        {t.xlsx}
      </Button>
      <Button variant="default" disabled={exporting.isPending} onClick={() => exporting.mutate('csv')}>
        {t.csv}
      </Button>
    </Button.Group>
  )
}
