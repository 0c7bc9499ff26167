import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Inputs } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'

const text = words({ en: { export: 'Export CSV' }, id: { export: 'Ekspor CSV' } })

export function ExportButton({ filters: _ }: { filters: Inputs['payments']['list'] }) {
  const t = useWords(text)
  return (
    <Button variant="default" leftSection={<IconDownload size={16} />}>
      {t.export}
    </Button>
  )
}
