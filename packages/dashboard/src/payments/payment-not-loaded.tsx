import { Skeleton } from '@mantine/core'
import type { ReactNode } from 'react'
import { faultOf } from '../api/fault.ts'
import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failure } from '../parts/states.tsx'

const text = words({
  en: {
    payment: 'Payment',
    missing: 'Payment not found',
    whyMissing: 'The link to this payment may be incomplete, or the payment belongs to another tenant.',
  },
  id: {
    payment: 'Pembayaran',
    missing: 'Pembayaran tidak ditemukan',
    whyMissing: 'Tautannya mungkin tidak lengkap, atau pembayaran ini milik tenant lain.',
  },
})

type Given = {
  /** The error that occurred when the payment was loaded, or null while the payment is still loading. */
  error: unknown
  retry: () => void
  /** A link to the list where the user can look for the payment. */
  list: ReactNode
}

/** The page shown while a payment is loading, or if it does not exist or could not be loaded. */
export function PaymentNotLoaded({ error, retry, list }: Given) {
  const t = useWords(text)
  const isMissing = error !== null && faultOf(error).code === 'NOT_FOUND'
  return (
    <Page title={isMissing ? t.missing : t.payment}>
      {isMissing ? (
        <Panel>
          <Empty title={t.whyMissing}>{list}</Empty>
        </Panel>
      ) : error ? (
        <Failure error={error} retry={retry} />
      ) : (
        <Skeleton height={420} radius="md" />
      )}
    </Page>
  )
}
