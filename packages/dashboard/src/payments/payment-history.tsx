import { Skeleton, Stack, Text, Timeline } from '@mantine/core'
import { IconArrowRight, IconCheck, IconSend, IconWebhook, IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { trpc } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords } from '../language/language.tsx'
import { TextLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { Failure } from '../parts/states.tsx'
import { PAGE_SIZE } from '../table/endless.ts'
import { type Happening, historyOf, type WebhookAttempt } from './history.ts'
import { historyWords } from './history-words.ts'
import { statusTones } from './payment-words.ts'
import { useProviderName } from './provider-name.ts'
import { useFailureWords } from './use-failure.ts'

export function PaymentHistory({ paymentId }: { paymentId: string }) {
  const t = useWords(historyWords)
  const payment = { payment_id: paymentId }
  const changes = useQuery(trpc.payments.timeline.queryOptions(payment))
  const tries = useQuery(trpc.payments.attempts.queryOptions(payment))
  const deliveries = useQuery(trpc.webhooks.deliveries.queryOptions({ ...payment, limit: PAGE_SIZE }))
  const failed = [changes, tries, deliveries].find(({ data, error }) => error && !data)
  return (
    <Panel title={t.title}>
      {failed ? (
        <Failure error={failed.error} retry={() => void failed.refetch()} />
      ) : changes.data && tries.data && deliveries.data ? (
        <Line happenings={historyOf(changes.data, tries.data, deliveries.data.items)} />
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

function Line({ happenings }: { happenings: readonly Happening[] }) {
  const format = useFormat()
  const tell = useTelling()
  return (
    <Timeline bulletSize={24} lineWidth={2} active={happenings.length} mt="sm">
      {happenings.map(happening => {
        const { title, detail, icon, isBad } = tell(happening)
        return (
          <Timeline.Item
            key={happening.key}
            title={title}
            bullet={icon}
            color={isBad ? 'red.8' : 'gapura.7'}
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

type Told = { title: ReactNode; detail: string | undefined; icon: ReactNode; isBad: boolean }

const ICON_SIZE = 14

function useTelling(): (happening: Happening) => Told {
  const t = useWords(historyWords)
  const { count, exactTime } = useFormat()
  const inWords = useFailureWords()
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
        const isBad = ['bad', 'doubt'].includes(statusTones[to])
        return {
          title: from === null ? t.created : from === to ? t.same : t.status[to],
          detail: [causes[cause] ?? cause, detail && inWords(detail)].filter(Boolean).join(' · '),
          icon: isBad ? <IconX size={ICON_SIZE} /> : <IconCheck size={ICON_SIZE} />,
          isBad,
        }
      }
      case 'try': {
        const { provider, outcome, reason } = happening.try
        return {
          title: t.charged(nameOf(provider)),
          detail: [t.outcome[outcome], reason].filter(Boolean).join(' · '),
          icon: <IconArrowRight size={ICON_SIZE} />,
          isBad: outcome === 'rejected' || outcome === 'not_created',
        }
      }
      case 'event': {
        const { id, type, status, next_attempt_at: next } = happening.delivery
        return {
          title: (
            <TextLink to="/webhooks/$eventId" params={{ eventId: id }} fw={600}>
              {t.event(type)}
            </TextLink>
          ),
          detail: next === null ? t.delivery[status] : t.next(exactTime(next)),
          icon: <IconWebhook size={ICON_SIZE} />,
          isBad: status === 'permanently_failed',
        }
      }
      case 'attempt': {
        const { number, response_status: status } = happening.attempt
        return {
          title: t.attempt(number),
          detail: told(happening.attempt),
          icon: <IconSend size={ICON_SIZE} />,
          isBad: status === null || status < 200 || status > 299,
        }
      }
    }
  }
}
