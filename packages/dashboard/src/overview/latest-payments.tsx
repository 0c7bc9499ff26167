import { useNavigate } from '@tanstack/react-router'
import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty } from '../parts/states.tsx'
import { usePaymentColumns } from '../payments/payment-columns.tsx'
import type { Mode } from '../shell/mode.ts'
import { DataTable } from '../table/data-table.tsx'
import { LATEST, useLatestPayments } from './use-latest-payments.ts'

const text = words({
  en: {
    title: 'Latest payments',
    all: 'All payments',
    none: { live: 'No live payments yet', test: 'No test payments yet' },
    how: 'Create a payment from your server with an API key of this mode. The payment then appears here.',
  },
  id: {
    title: 'Pembayaran terbaru',
    all: 'Semua pembayaran',
    none: { live: 'Belum ada pembayaran live', test: 'Belum ada pembayaran uji coba' },
    how: 'Buat pembayaran dari server Anda dengan kunci API untuk mode ini. Pembayaran akan muncul di sini.',
  },
})

export default function LatestPayments({ mode }: { mode: Mode }) {
  const t = useWords(text)
  const navigate = useNavigate()
  const { rows, error, retry } = useLatestPayments(mode)
  return (
    <Panel
      title={t.title}
      isFlush
      actions={
        <TextLink to="/payments" size="sm">
          {t.all}
        </TextLink>
      }
    >
      <DataTable
        label={t.title}
        rows={rows?.slice(0, LATEST)}
        error={error}
        retry={retry}
        rowKey={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/payments/$paymentId', params: { paymentId: id } })}
        empty={<Empty title={t.none[mode]}>{t.how}</Empty>}
        columns={usePaymentColumns()}
      />
    </Panel>
  )
}
