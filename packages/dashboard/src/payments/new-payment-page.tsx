import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failure } from '../parts/states.tsx'
import { useMode } from '../shell/mode.ts'
import { CreatedPayment } from '../test-payment/created-payment.tsx'
import { offeredMethods } from '../test-payment/offered-methods.ts'
import { OrderForm } from '../test-payment/order-form.tsx'
import type { Payment } from './payment-words.ts'

const text = words({
  en: {
    title: 'Test payment',
    what: 'Test payments move no real money. Live payments are created by your server with a live key.',
    none: 'No payment methods available',
    how: 'Ask the operator to give you access to a provider account. Its payment methods will then appear here.',
  },
  id: {
    title: 'Pembayaran uji coba',
    what: 'Pembayaran uji coba tidak memindahkan uang sungguhan. Pembayaran live dibuat oleh server Anda dengan kunci live.',
    none: 'Belum ada metode pembayaran',
    how: 'Minta operator memberi Anda akses ke akun penyedia. Metode pembayarannya akan muncul di sini.',
  },
})

export function NewPaymentPage() {
  const t = useWords(text)
  const { data, error, refetch } = useQuery(trpc.methods.activeMethods.queryOptions({}))
  const methods = useMemo(() => data && offeredMethods(data.providers), [data])
  const [created, setCreated] = useState<Payment>()
  const [, setMode] = useMode()
  const show = (payment: Payment) => {
    // The page switches to test mode, because the payment just created is a test payment, which appears only
    // in lists of test payments.
    setMode('test')
    setCreated(payment)
  }
  return (
    <Page title={t.title} description={t.what}>
      {created ? (
        <CreatedPayment created={created} again={() => setCreated(undefined)} />
      ) : methods ? (
        methods.length > 0 ? (
          <OrderForm methods={methods} onCreated={show} />
        ) : (
          <Panel>
            <Empty title={t.none}>{t.how}</Empty>
          </Panel>
        )
      ) : error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={420} radius="md" />
      )}
    </Page>
  )
}
