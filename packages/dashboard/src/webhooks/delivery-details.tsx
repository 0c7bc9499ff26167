import { useWords, words } from '../language/language.tsx'
import { Copied } from '../parts/copied.tsx'
import { Facts } from '../parts/facts.tsx'
import { TextLink } from '../parts/links.tsx'
import { Moment } from '../parts/moment.tsx'
import { Panel } from '../parts/panel.tsx'
import type { Payment } from '../payments/payment-words.ts'
import { modeWords } from '../shell/mode-words.ts'
import { Attempts } from './attempts.tsx'
import { DeliveryTag } from './delivery-tag.tsx'
import type { WholeDelivery } from './delivery-words.ts'
import { SentRequest } from './sent-request.tsx'

const text = words({
  en: {
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

/** Shows a webhook delivery with its attempts and the request that was sent. */
export function DeliveryDetails({ of: delivery }: { of: WholeDelivery }) {
  return (
    <>
      <DeliveryFacts of={delivery} />
      <Attempts of={delivery} />
      <SentRequest of={delivery} />
    </>
  )
}

/** Returns the payment code from the body of a payment event. The event data always contains the payment. */
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
