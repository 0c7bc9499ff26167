import { Alert, Grid, Skeleton, Stack } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { faultOf } from '../api/fault.ts'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { Instructions } from '../instructions/instructions.tsx'
import { useWords, words } from '../language/language.tsx'
import { ButtonLink, TextLink } from '../parts/links.tsx'
import { ModeTag } from '../parts/mode-tag.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failure } from '../parts/states.tsx'
import { useAccount } from '../session/account.ts'
import { CancelButton } from './cancel-button.tsx'
import { lastSearch } from './last-search.ts'
import { PaymentFacts } from './payment-facts.tsx'
import { PaymentHistory } from './payment-history.tsx'
import { PaymentItems } from './payment-items.tsx'
import { PaymentLedger } from './payment-ledger.tsx'
import { type Payment, statusWords } from './payment-words.ts'
import { SandboxButton } from './sandbox-button.tsx'
import { useFailureWords } from './use-failure.ts'

const text = words({
  en: {
    payment: 'Payment',
    all: 'All payments',
    missing: 'Payment not found',
    whyMissing: 'The link may be incomplete, or the payment belongs to another tenant.',
    reversed: 'Reversed by the provider',
    takenBack: (sum: string, at: string) =>
      `On ${at}, the provider reversed this payment, and ${sum} was debited from your balance. Do not ship the order. If you have already shipped it, it is not paid for.`,
    instructions: 'What the payer sees',
    decides:
      'The operator decides whether the payment counts as paid. You are notified by webhook. Do not ship the order before that.',
  },
  id: {
    payment: 'Pembayaran',
    all: 'Semua pembayaran',
    missing: 'Pembayaran tidak ditemukan',
    whyMissing: 'Tautannya mungkin tidak lengkap, atau pembayaran ini milik tenant lain.',
    reversed: 'Ditarik kembali oleh penyedia',
    takenBack: (sum: string, at: string) =>
      `Pada ${at}, penyedia menarik kembali pembayaran ini, dan ${sum} didebit dari saldo Anda. Jangan kirim pesanan. Jika sudah dikirim, pesanan itu belum terbayar.`,
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
  if (data) return <Shown payment={data} />
  const isMissing = error && faultOf(error).code === 'NOT_FOUND'
  return (
    <Page title={isMissing ? t.missing : t.payment}>
      {isMissing ? (
        <Panel>
          <Empty title={t.whyMissing}>
            {role === 'client' && (
              <ButtonLink to="/payments" variant="default" mt="xs">
                {t.all}
              </ButtonLink>
            )}
          </Empty>
        </Panel>
      ) : error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={420} radius="md" />
      )}
    </Page>
  )
}

function Shown({ payment }: { payment: Payment }) {
  const t = useWords(text)
  const statuses = useWords(statusWords)
  const format = useFormat()
  const inWords = useFailureWords()
  const { data: standing } = useQuery(trpc.payments.standing.queryOptions({ payment_id: payment.id }))
  const isPending = payment.status === 'pending'
  const isOpen = isPending || payment.status === 'challenged'
  return (
    <Page
      title={payment.payment_code}
      description={
        <>
          <TextLink to="/payments" search={lastSearch()} underline="always">
            {t.all}
          </TextLink>
          {` · ${format.money(payment.amount)} · `}
          <span role="status">
            {statuses[payment.status]}
            {standing?.reversed_at && ` · ${t.reversed}`}
          </span>
          {standing && (
            <>
              {' · '}
              <ModeTag mode={standing.mode} />
            </>
          )}
        </>
      }
      actions={
        <>
          {isOpen && <CancelButton payment={payment} />}
          {isPending && standing?.mode === 'test' && <SandboxButton payment={payment} />}
        </>
      }
    >
      {standing?.reversed_at && (
        <Alert color="red" icon={<IconAlertCircle />} title={t.reversed}>
          {t.takenBack(format.money(payment.amount_paid ?? 0), format.exactTime(standing.reversed_at))}
        </Alert>
      )}
      {payment.failure_reason && (
        <Alert
          color={payment.status === 'challenged' ? 'orange' : 'red'}
          icon={<IconAlertCircle />}
          title={statuses[payment.status]}
        >
          {inWords(payment.failure_reason)}
          {payment.status === 'challenged' && ` ${t.decides}`}
        </Alert>
      )}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <Stack gap="lg">
            {isPending && (
              <Panel title={t.instructions}>
                <Instructions payment={payment} />
              </Panel>
            )}
            <PaymentFacts payment={payment} />
            {payment.items.length > 0 && <PaymentItems items={payment.items} />}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Stack gap="lg">
            <PaymentHistory paymentId={payment.id} />
            <PaymentLedger paymentId={payment.id} />
          </Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}
