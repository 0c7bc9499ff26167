import { Button, Skeleton } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { faultOf } from '../api/fault.ts'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { ButtonLink, TextLink } from '../parts/links.tsx'
import { Moment } from '../parts/moment.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { Empty, Failure } from '../parts/states.tsx'
import { useAct } from '../parts/use-act.ts'
import type { Payment } from '../payments/payment-words.ts'
import { modeWords } from '../shell/mode-words.ts'
import { Attempts } from './attempts.tsx'
import { DeliveryTag } from './delivery-tag.tsx'
import type { WholeDelivery } from './delivery-words.ts'
import { callbackUrlQuery } from './endpoint.ts'
import { SentRequest } from './sent-request.tsx'

const text = words({
  en: {
    title: 'Webhook delivery',
    again: 'Redeliver',
    setUrl: 'Set a callback URL to redeliver',
    queued: 'Redelivery started',
    missing: 'Delivery not found',
    missingMore: 'It may belong to another tenant, or its retention period has ended.',
    all: 'All deliveries',
    event: 'Event',
    status: 'Status',
    id: 'Event ID',
    mode: 'Mode',
    payment: 'Payment',
    happened: 'Occurred',
    next: 'Next attempt',
    test: 'None (test event)',
  },
  id: {
    title: 'Pengiriman webhook',
    again: 'Kirim ulang',
    setUrl: 'Atur URL callback untuk mengirim ulang',
    queued: 'Pengiriman ulang dimulai',
    missing: 'Pengiriman tidak ditemukan',
    missingMore: 'Mungkin milik tenant lain, atau masa penyimpanannya sudah berakhir.',
    all: 'Semua pengiriman',
    event: 'Event',
    status: 'Status',
    id: 'ID event',
    mode: 'Mode',
    payment: 'Pembayaran',
    happened: 'Terjadi',
    next: 'Percobaan berikutnya',
    test: 'Tidak ada (event uji coba)',
  },
})

const PENDING_EVERY_MS = 1_000

export function DeliveryPage() {
  const t = useWords(text)
  const { eventId } = useParams({ from: '/inside/webhooks/$eventId' })
  const asked = trpc.webhooks.delivery.queryOptions({ event_id: eventId })
  const {
    data: delivery,
    error,
    refetch,
  } = useQuery({
    ...asked,
    // A pending delivery is polled, because a redelivery may finish so soon that no live change reports it.
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? PENDING_EVERY_MS : false),
  })
  const { data: callbackUrl } = useQuery(callbackUrlQuery)
  const queries = useQueryClient()
  const redelivering = useAct({
    done: t.queued,
    mutationFn: () => client.webhooks.redeliver.mutate({ event_id: eventId }),
    // The delivery is refetched instead of caching this response, because the attempt may already have finished and
    // been reported.
    onSuccess: () => queries.invalidateQueries({ queryKey: asked.queryKey }),
  })
  const again =
    delivery &&
    delivery.status !== 'pending' &&
    (callbackUrl === null ? (
      <ButtonLink to="/webhooks" variant="default">
        {t.setUrl}
      </ButtonLink>
    ) : (
      <Button
        leftSection={<IconRepeat size={16} />}
        loading={redelivering.isPending}
        onClick={() => redelivering.mutate()}
      >
        {t.again}
      </Button>
    ))
  return (
    <Page title={t.title} description={<TextLink to="/webhooks">{`← ${t.all}`}</TextLink>} actions={again}>
      {delivery ? (
        <>
          <DeliveryFacts of={delivery} />
          <Attempts of={delivery} />
          <SentRequest of={delivery} />
        </>
      ) : error && faultOf(error).code === 'NOT_FOUND' ? (
        <Panel>
          <Empty title={t.missing}>
            {t.missingMore}
            <ButtonLink to="/webhooks" variant="default">
              {t.all}
            </ButtonLink>
          </Empty>
        </Panel>
      ) : error ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <Skeleton height={320} />
      )}
    </Page>
  )
}

/** Returns the payment code from the body of a payment event, whose data always contains the payment. */
const codeIn = (body: string): string => (JSON.parse(body) as { data: Payment }).data.payment_code

function DeliveryFacts({ of: delivery }: { of: WholeDelivery }) {
  const t = useWords(text)
  const modes = useWords(modeWords)
  const { id, payment_id: paymentId, next_attempt_at: next } = delivery
  return (
    <Panel>
      <Facts
        items={[
          [
            t.event,
            <span key="event" className="mono">
              {delivery.type}
            </span>,
          ],
          [t.status, <DeliveryTag key="status" status={delivery.status} />],
          [t.id, <Copied key="id" value={id} what={t.id} />],
          [t.mode, modes[delivery.mode]],
          [
            t.payment,
            paymentId ? (
              <TextLink key="payment" to="/payments/$paymentId" params={{ paymentId }} className="mono">
                {codeIn(delivery.body)}
              </TextLink>
            ) : (
              t.test
            ),
          ],
          [t.happened, <Moment key="happened" at={delivery.created_at} />],
          [t.next, next && <Moment key="next" at={next} />],
        ]}
      />
    </Panel>
  )
}
