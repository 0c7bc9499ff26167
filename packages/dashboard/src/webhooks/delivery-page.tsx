import { Button } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { client, trpc } from '../api/trpc.ts'
import { useWords, words } from '../language/language.tsx'
import { ButtonLink, TextLink } from '../parts/links.tsx'
import { Page } from '../parts/page.tsx'
import { useAct } from '../parts/use-act.ts'
import { useIsPermitted } from '../session/account.ts'
import { useModeOf } from '../shell/mode.ts'
import { DeliveryDetails } from './delivery-details.tsx'
import { DeliveryNotLoaded } from './delivery-not-loaded.tsx'
import { callbackUrlQuery } from './endpoint.ts'

const text = words({
  en: {
    title: 'Webhook delivery',
    again: 'Redeliver',
    setUrl: 'Set a callback URL to redeliver',
    queued: 'Redelivery started',
    missingMore: 'The delivery may belong to another tenant, or its retention period has ended.',
    all: 'All deliveries',
  },
  id: {
    title: 'Pengiriman webhook',
    again: 'Kirim ulang',
    setUrl: 'Atur URL callback untuk mengirim ulang',
    queued: 'Pengiriman ulang dimulai',
    missingMore: 'Pengiriman ini mungkin milik tenant lain, atau masa penyimpanannya sudah berakhir.',
    all: 'Semua pengiriman',
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
    // While a delivery is pending, the page polls it, because the page may miss the live update for a fast
    // redelivery.
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? PENDING_EVERY_MS : false),
  })
  useModeOf(delivery)
  const { data: callbackUrl } = useQuery({ ...callbackUrlQuery, enabled: useIsPermitted('developer') })
  const queries = useQueryClient()
  const redelivering = useAct({
    done: t.queued,
    mutationFn: () => client.webhooks.redeliver.mutate({ event_id: eventId }),
    // After a redelivery is requested, the page reloads the delivery, because its state may have changed since the
    // service sent the response.
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
        <DeliveryDetails of={delivery} />
      ) : (
        <DeliveryNotLoaded error={error} retry={() => void refetch()}>
          {t.missingMore}
          <ButtonLink to="/webhooks" variant="default">
            {t.all}
          </ButtonLink>
        </DeliveryNotLoaded>
      )}
    </Page>
  )
}
