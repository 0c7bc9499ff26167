import { Skeleton, Stack, Text, Timeline } from '@mantine/core'
import {
  IconAlertTriangle,
  IconArrowRight,
  IconCheck,
  IconSend,
  IconWebhook,
  IconX,
} from '@tabler/icons-react'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Outputs, trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords } from '../language/language.tsx'
import { type Movement, movementOf } from '../ledger/movement.ts'
import { useMovementWords } from '../ledger/use-movement.ts'
import { TextLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure } from '../parts/states.tsx'
import { refundNamed } from '../refunds/refund-named.ts'
import type { Refund } from '../refunds/refund-words.ts'
import { useIsPermitted } from '../session/account.ts'
import { PAGE_SIZE } from '../table/endless.ts'
import { type Happening, historyOf, type WebhookAttempt } from './history.ts'
import { historyWords } from './history-words.ts'
import { statusTones } from './payment-words.ts'
import { useProviderName } from './provider-name.ts'
import { useFailureWords } from './use-failure.ts'

type Queries = {
  changes: UseQueryResult<Outputs['payments']['timeline'], unknown>
  tries: UseQueryResult<Outputs['payments']['attempts'], unknown>
  /**
   * The payment's webhook deliveries, or undefined if the user may not see them. In that case, the history
   * omits them.
   */
  deliveries: UseQueryResult<Outputs['webhooks']['deliveries'], unknown> | undefined
}
type Context = {
  refunds: readonly Refund[]
  /**
   * True if the payment belongs to another tenant. The user then cannot open the pages for the payment's webhook
   * deliveries.
   */
  isOfOther: boolean
}

export function PaymentHistory({ paymentId, refunds }: { paymentId: string; refunds: readonly Refund[] }) {
  const payment = { payment_id: paymentId }
  const changes = useQuery(trpc.payments.timeline.queryOptions(payment))
  const tries = useQuery(trpc.payments.attempts.queryOptions(payment))
  const seesDeliveries = useIsPermitted(['developer', 'support'])
  const deliveries = useQuery(
    trpc.webhooks.deliveries.queryOptions({ ...payment, limit: PAGE_SIZE }, { enabled: seesDeliveries }),
  )
  return (
    <HistoryPanel
      changes={changes}
      tries={tries}
      deliveries={seesDeliveries ? deliveries : undefined}
      refunds={refunds}
      isOfOther={false}
    />
  )
}

export function HistoryPanel({ changes, tries, deliveries, ...context }: Queries & Context) {
  const t = useWords(historyWords)
  const sent = deliveries ? deliveries.data?.items : []
  const failed = [changes, tries, deliveries].find(query => query?.error && !query.data)
  return (
    <Panel title={t.title}>
      {failed ? (
        <Failure error={failed.error} retry={() => void failed.refetch()} />
      ) : changes.data && tries.data && sent ? (
        <Line happenings={historyOf(changes.data, tries.data, sent)} {...context} />
      ) : (
        <Awaited />
      )}
    </Panel>
  )
}

const Awaited = () => (
  <Stack gap="lg" pt="xs">
    {['a', 'b', 'c'].map(key => (
      <Skeleton key={key} height={36} radius="sm" />
    ))}
  </Stack>
)

function Line({ happenings, ...context }: { happenings: readonly Happening[] } & Context) {
  const format = useFormat()
  const tell = useTelling(context)
  return (
    <Timeline
      bulletSize={24}
      lineWidth={2}
      active={happenings.length}
      mt="sm"
      styles={{ itemTitle: { lineHeight: 1.35 } }}
    >
      {happenings.map(happening => {
        const { title, detail, icon, color } = tell(happening)
        return (
          <Timeline.Item
            key={happening.key}
            title={title}
            bullet={icon}
            color={color}
            lineVariant={happening.kind === 'attempt' ? 'dashed' : 'solid'}
          >
            {detail && (
              <Text size="sm" c="dimmed">
                {detail}
              </Text>
            )}
            <Text size="xs" c="dimmed" mt={2}>
              <time dateTime={happening.at}>{format.exactTime(happening.at)}</time>
            </Text>
          </Timeline.Item>
        )
      })}
    </Timeline>
  )
}

type Told = { title: ReactNode; detail: string | undefined; icon: ReactNode; color: string }

const ICON_SIZE = 14
const BAD = 'red.8'
/**
 * Returns whether the ledger movement records the provider's response to a refund that the merchant requested. Like the
 * request itself, such a movement has the cause `merchant`.
 */
const isAnswer = (movement: Movement, cause: string): boolean =>
  movement.kind === 'refund' && movement.state !== 'requested' && cause === 'merchant'
/**
 * Returns whether the history shows the ledger movement in red. Only failed refunds and chargebacks that took money
 * from the merchant are shown in red.
 */
const isBadRefund = (movement: Movement): boolean =>
  movement.kind === 'refund' && (movement.by === 'chargeback') !== (movement.state === 'failed')
const USUAL = 'gapura.7'

function useTelling({ refunds, isOfOther }: Context): (happening: Happening) => Told {
  const t = useWords(historyWords)
  const { count, exactTime, money } = useFormat()
  const inWords = useFailureWords()
  const movementInWords = useMovementWords()
  const nameOf = useProviderName()
  const causes: Record<string, string> = t.cause
  const told = (attempt: WebhookAttempt): string => {
    const ms = count(attempt.duration_ms)
    const answer =
      attempt.response_status === null ? t.unanswered(ms) : t.answered(attempt.response_status, ms)
    return attempt.error === null ? answer : `${answer}: ${attempt.error}`
  }
  return happening => {
    switch (happening.kind) {
      case 'change': {
        const { from, to, cause, detail } = happening.change
        const by = causes[cause] ?? cause
        const movement = detail === null ? undefined : movementOf(detail)
        // A history entry without a status change reports that money moved, for example when a paid payment was
        // refunded.
        if (from === to && detail && movement) {
          const { what, why } = movementInWords(detail)
          const isTaken =
            movement.kind === 'reversed' || movement.kind === 'given_back' || isBadRefund(movement)
          const refund = movement.kind === 'refund' ? refundNamed(movement.name, refunds) : undefined
          return {
            title: refund ? `${what} · ${money(refund.amount)}` : what,
            detail: [isAnswer(movement, cause) ? '' : by, why].filter(Boolean).join(' · '),
            icon: isTaken ? <IconX size={ICON_SIZE} /> : <IconCheck size={ICON_SIZE} />,
            color: isTaken ? BAD : USUAL,
          }
        }
        const tone = statusTones[to]
        return {
          title: from === null ? t.created : t.status[to],
          // The title already says that the payment was received, so the detail does not repeat it.
          detail: [by, movement?.kind === 'other' && inWords(movement.reason)].filter(Boolean).join(' · '),
          icon: tone === 'bad' ? <IconX size={ICON_SIZE} /> : <IconCheck size={ICON_SIZE} />,
          ...(tone === 'doubt' && { icon: <IconAlertTriangle size={ICON_SIZE} /> }),
          color: tone === 'bad' ? BAD : tone === 'doubt' ? 'orange.8' : USUAL,
        }
      }
      case 'try': {
        const { provider, outcome, reason } = happening.try
        return {
          title: t.charged(nameOf(provider)),
          detail: [t.outcome[outcome], reason && inWords(reason)].filter(Boolean).join(' · '),
          icon: <IconArrowRight size={ICON_SIZE} />,
          color: outcome === 'rejected' || outcome === 'not_created' ? BAD : USUAL,
        }
      }
      case 'event': {
        const { id, type, status, next_attempt_at: next, attempts } = happening.delivery
        const said =
          status === 'delivered' ? t.delivery.delivered(attempts.at(-1)?.number ?? 1) : t.delivery[status]
        return {
          title: isOfOther ? (
            t.event(type)
          ) : (
            <TextLink to="/webhooks/$eventId" params={{ eventId: id }} fw={600}>
              {t.event(type)}
            </TextLink>
          ),
          detail: next === null ? said : t.next(exactTime(next)),
          icon: <IconWebhook size={ICON_SIZE} />,
          color: status === 'permanently_failed' ? BAD : USUAL,
        }
      }
      case 'attempt': {
        const { number, response_status: status } = happening.attempt
        return {
          title: t.attempt(number, happening.delivery.type),
          detail: told(happening.attempt),
          icon: <IconSend size={ICON_SIZE} />,
          color: status === null || status < 200 || status > 299 ? BAD : USUAL,
        }
      }
    }
  }
}
