import { Button } from '@mantine/core'
import { IconRepeat } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { client, trpc } from '../../api/trpc.ts'
import { useWords, words } from '../../language/language.tsx'
import { ButtonLink, TextLink } from '../../parts/links.tsx'
import { Page } from '../../parts/page.tsx'
import { useAct } from '../../parts/use-act.ts'
import { useModeOf } from '../../shell/mode.ts'
import { DeliveryDetails } from '../delivery-details.tsx'
import { DeliveryNotLoaded } from '../delivery-not-loaded.tsx'
import { canRedeliver } from './can-redeliver.ts'

const text = words({
  en: {
    title: 'Webhook delivery',
    endpoint: 'Endpoint',
    again: 'Redeliver',
    queued: 'Redelivery started',
    missingMore:
      'Possible reasons: the delivery belongs to another tenant, its endpoint has been deleted, or its retention period has ended.',
    all: 'All webhooks',
  },
  id: {
    title: 'Pengiriman webhook',
    endpoint: 'Endpoint',
    again: 'Kirim ulang',
    queued: 'Pengiriman ulang dimulai',
    missingMore:
      'Pengiriman ini mungkin milik tenant lain, sudah dihapus bersama endpoint-nya, atau masa penyimpanannya sudah berakhir.',
    all: 'Semua webhook',
  },
})

const PENDING_EVERY_MS = 1_000

/** Shows an event's delivery to one of the tenant's webhook endpoints (in addition to the callback URL). */
export function EndpointDeliveryPage() {
  const t = useWords(text)
  const { endpointId, eventId } = useParams({
    from: '/inside/webhooks/endpoints/$endpointId/deliveries/$eventId',
  })
  const ids = { endpoint_id: endpointId, event_id: eventId }
  const asked = trpc.webhookEndpoints.delivery.queryOptions(ids)
  const {
    data: delivery,
    error,
    refetch,
  } = useQuery({
    ...asked,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? PENDING_EVERY_MS : false),
  })
  useModeOf(delivery)
  const queries = useQueryClient()
  const redelivering = useAct({
    done: t.queued,
    mutationFn: () => client.webhookEndpoints.redeliver.mutate(ids),
    onSuccess: () => queries.invalidateQueries({ queryKey: asked.queryKey }),
  })
  const again = delivery && canRedeliver(delivery, Date.now()) && (
    <Button
      leftSection={<IconRepeat size={16} />}
      loading={redelivering.isPending}
      onClick={() => redelivering.mutate()}
    >
      {t.again}
    </Button>
  )
  return (
    <Page
      title={t.title}
      description={
        <TextLink to="/webhooks/endpoints/$endpointId" params={{ endpointId }}>
          {`← ${t.endpoint}`}
        </TextLink>
      }
      actions={again}
    >
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
