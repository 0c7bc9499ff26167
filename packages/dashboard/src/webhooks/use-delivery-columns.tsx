import { useWords, words } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { Moment } from '../parts/moment.tsx'
import { modeWords } from '../shell/mode-words.ts'
import type { Column } from '../table/data-table.tsx'
import { TwoLines } from '../table/two-lines.tsx'
import { DeliveryTag } from './delivery-tag.tsx'
import { type Delivery, lastAttempt } from './delivery-words.ts'
import { Response } from './response.tsx'
import classes from './use-delivery-columns.module.css'

const text = words({
  en: {
    event: 'Event, time',
    payment: 'Payment',
    status: 'Status',
    attempts: 'Attempts',
    response: 'Last response',
    next: 'Next attempt',
  },
  id: {
    event: 'Event, waktu',
    payment: 'Pembayaran',
    status: 'Status',
    attempts: 'Percobaan',
    response: 'Respons terakhir',
    next: 'Berikutnya',
  },
})

/**
 * The columns of a delivery list. `endpointId` is an additional webhook endpoint. Without it, the list contains
 * deliveries to the callback URL.
 */
export function useDeliveryColumns(endpointId?: string): Column<Delivery>[] {
  const t = useWords(text)
  const modes = useWords(modeWords)
  return [
    {
      id: 'event',
      header: t.event,
      isSorted: true,
      share: 2,
      isWhole: true,
      cell: ({ id, type, mode, created_at, payment_code }) => (
        <TwoLines
          top={
            <>
              {endpointId === undefined ? (
                <TextLink to="/webhooks/$eventId" params={{ eventId: id }} className="mono">
                  {type}
                </TextLink>
              ) : (
                <TextLink
                  to="/webhooks/endpoints/$endpointId/deliveries/$eventId"
                  params={{ endpointId, eventId: id }}
                  className="mono"
                >
                  {type}
                </TextLink>
              )}
              <span className={classes.mode}> · {modes[mode]}</span>
            </>
          }
          below={
            <>
              <Moment at={created_at} />
              <span className={classes.code}>{payment_code && ` · ${payment_code}`}</span>
            </>
          }
        />
      ),
    },
    {
      id: 'status',
      header: t.status,
      share: 1.3,
      cell: ({ status }) => <DeliveryTag status={status} />,
    },
    {
      id: 'payment',
      header: t.payment,
      share: 1.7,
      isWhole: true,
      hidden: 'phone',
      cell: ({ payment_id: id, payment_code }) =>
        id && (
          <TextLink to="/payments/$paymentId" params={{ paymentId: id }} className="mono">
            {payment_code}
          </TextLink>
        ),
    },
    {
      id: 'attempts',
      header: t.attempts,
      share: 1,
      align: 'end',
      hidden: 'tablet',
      cell: delivery => lastAttempt(delivery)?.number ?? 0,
    },
    {
      id: 'response',
      header: t.response,
      share: 1.2,
      align: 'end',
      hidden: 'phone',
      cell: delivery => {
        const attempt = lastAttempt(delivery)
        return attempt && <Response to={attempt} />
      },
    },
    {
      id: 'next',
      header: t.next,
      share: 1.9,
      align: 'end',
      hidden: 'tablet',
      cell: ({ next_attempt_at: at }) => at && <Moment at={at} />,
    },
  ]
}
