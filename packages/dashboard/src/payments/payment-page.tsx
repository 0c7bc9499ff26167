import { Alert, Grid, Stack } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { Instructions } from '../instructions/instructions.tsx'
import { useWords, words } from '../language/language.tsx'
import { ButtonLink, TextLink } from '../parts/links.tsx'
import { ModeTag } from '../parts/mode-tag.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { PaymentRefunds } from '../refunds/payment-refunds.tsx'
import { RefundButton } from '../refunds/refund-button.tsx'
import { useAccount, useIsPermitted } from '../session/account.ts'
import { useModeOf } from '../shell/mode.ts'
import { CancelButton } from './cancel-button.tsx'
import { EraseCustomer } from './erase-customer.tsx'
import { FailureAlert } from './failure-alert.tsx'
import { lastSearch } from './last-search.ts'
import { PaymentFacts } from './payment-facts.tsx'
import { PaymentHistory } from './payment-history.tsx'
import { PaymentItems } from './payment-items.tsx'
import { PaymentLedger } from './payment-ledger.tsx'
import { PaymentNotLoaded } from './payment-not-loaded.tsx'
import { type Payment, statusWords } from './payment-words.ts'
import { SandboxButton } from './sandbox-button.tsx'
import { useReturned } from './use-returned.ts'

const text = words({
  en: {
    all: 'All payments',
    reversed: 'Reversed by the provider',
    takenBack: (sum: string, at: string) =>
      `On ${at}, the provider reversed this payment, and ${sum} was debited from your balance.`,
    unpaid: 'Do not ship the order. If you have already shipped the order, it is no longer paid.',
    credited: (sum: string) =>
      `Your balance now includes ${sum} from this payment, for example because the customer paid again. Compare this amount with the order before you ship it.`,
    instructions: 'What the payer sees',
    decides:
      'The operator decides whether the payment counts as paid. A webhook notifies you of the decision. Do not ship the order until then.',
  },
  id: {
    all: 'Semua pembayaran',
    reversed: 'Ditarik kembali oleh penyedia',
    takenBack: (sum: string, at: string) =>
      `Pada ${at}, penyedia menarik kembali pembayaran ini, dan ${sum} didebit dari saldo Anda.`,
    unpaid: 'Jangan kirim pesanan. Jika pesanan sudah dikirim, pesanan itu tidak lagi terbayar.',
    credited: (sum: string) =>
      `Saldo Anda kini mencakup ${sum} dari pembayaran ini, misalnya karena pelanggan membayar lagi. Cocokkan jumlah ini dengan nilai pesanan sebelum Anda mengirimnya.`,
    instructions: 'Yang dilihat pembayar',
    decides:
      'Operator memutuskan apakah pembayaran ini dianggap lunas. Anda diberi tahu lewat webhook. Jangan kirim pesanan sebelum itu.',
  },
})

export function PaymentPage() {
  const t = useWords(text)
  const { role } = useAccount()
  const { paymentId } = useParams({ from: '/inside/payments/$paymentId' })
  const { data, error, refetch } = useQuery(trpc.payments.get.queryOptions({ payment_id: paymentId }))
  useModeOf(data)
  // React's `key` resets the forms when the page shows another payment, so that a refund's idempotency key is
  // never used for another payment.
  if (data) return <Shown key={data.id} payment={data} />
  const toList = role === 'client' && (
    <ButtonLink to="/payments" variant="default" mt="xs">
      {t.all}
    </ButtonLink>
  )
  return <PaymentNotLoaded error={error} retry={() => void refetch()} list={toList} />
}

function Shown({ payment }: { payment: Payment }) {
  const t = useWords(text)
  const statuses = useWords(statusWords)
  const format = useFormat()
  const { data: standing } = useQuery(trpc.payments.standing.queryOptions({ payment_id: payment.id }))
  const isPending = payment.status === 'pending'
  const isOpen = isPending || payment.status === 'challenged'
  const handlesMoney = useIsPermitted('finance')
  const { data: refunds = [] } = useQuery(
    trpc.refunds.ofPayment.queryOptions({ payment_id: payment.id }, { enabled: payment.status === 'paid' }),
  )
  const offer = standing?.refund_offer
  const reversal = standing?.reversal
  const returned = useReturned()
  return (
    <Page
      title={payment.payment_code}
      description={
        <>
          <TextLink to="/payments" search={lastSearch()} underline="always">
            {t.all}
          </TextLink>
          {` · ${format.money(payment.amount)} · `}
          <span role="status">{[statuses[payment.status], ...returned(payment)].join(' · ')}</span>
          {' · '}
          <ModeTag mode={payment.mode} />
        </>
      }
      actions={
        <>
          {isOpen && handlesMoney && <CancelButton payment={payment} />}
          {offer && handlesMoney && <RefundButton paymentId={payment.id} offer={offer} />}
          {isPending && payment.mode === 'test' && <SandboxButton payment={payment} />}
        </>
      }
    >
      {reversal && (
        <Alert color={reversal.credited > 0 ? 'orange' : 'red'} icon={<IconAlertCircle />} title={t.reversed}>
          {t.takenBack(format.money(reversal.amount), format.exactTime(reversal.at))}{' '}
          {reversal.credited > 0 ? t.credited(format.money(reversal.credited)) : t.unpaid}
        </Alert>
      )}
      <FailureAlert payment={payment} more={t.decides} />
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            {isPending && (
              <Panel title={t.instructions}>
                <Instructions payment={payment} />
              </Panel>
            )}
            <PaymentFacts
              payment={payment}
              actions={standing?.has_customer_data && <EraseCustomer paymentId={payment.id} />}
            />
            {payment.items.length > 0 && <PaymentItems items={payment.items} />}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="lg">
            {refunds.length > 0 && <PaymentRefunds refunds={refunds} />}
            <PaymentHistory paymentId={payment.id} refunds={refunds} />
            <PaymentLedger paymentId={payment.id} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}
