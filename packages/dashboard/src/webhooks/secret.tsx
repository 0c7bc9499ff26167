import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconEye, IconEyeOff, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client, type Outputs } from '../api/trpc.ts'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Copied } from '../parts/copied.tsx'
import { useAct } from '../parts/use-act.ts'
import { endpointQuery } from './endpoint.ts'

const text = words({
  en: {
    about: 'With it your server verifies that a webhook is from us. Keep it on your server alone.',
    name: 'the secret',
    reveal: 'Reveal',
    hide: 'Hide',
    rotate: 'Rotate…',
    overlap: (time: string) =>
      `Previous secrets sign too, the last of them until ${time}. Give your server the new one by then.`,
    rotateTitle: 'Rotate the signing secret?',
    rotateMore:
      'You get a new secret. For 24 hours webhooks carry a signature of the old secret too, so that your server verifies them before and after you give it the new one. After that the old one signs no more.',
    revoke: 'Stop all previous secrets now',
    revokeMore: 'For a secret that has leaked. A server that still has it refuses every webhook.',
    rotateAct: 'Make a new secret',
    done: 'There is a new secret',
  },
  id: {
    about:
      'Dengan rahasia ini server Anda memastikan webhook benar berasal dari kami. Simpan hanya di server Anda.',
    name: 'rahasia',
    reveal: 'Tampilkan',
    hide: 'Sembunyikan',
    rotate: 'Ganti…',
    overlap: (time: string) =>
      `Rahasia sebelumnya masih ikut menandatangani, yang terakhir sampai ${time}. Pasang yang baru di server Anda sebelum waktu itu.`,
    rotateTitle: 'Ganti rahasia penanda tangan?',
    rotateMore:
      'Anda mendapat rahasia baru. Selama 24 jam webhook juga membawa tanda tangan dari rahasia lama, sehingga server Anda tetap dapat memverifikasi sebelum dan sesudah rahasia baru dipasang. Setelah itu rahasia lama tidak lagi menandatangani.',
    revoke: 'Hentikan semua rahasia sebelumnya sekarang',
    revokeMore: 'Untuk rahasia yang bocor. Server yang masih memakainya akan menolak semua webhook.',
    rotateAct: 'Buat rahasia baru',
    done: 'Rahasia baru telah dibuat',
  },
})

const hidden = `whsec_${'•'.repeat(24)}`

export function Secret({ endpoint }: { endpoint: Outputs['webhooks']['endpoint'] }) {
  const t = useWords(text)
  const format = useFormat()
  const queries = useQueryClient()
  const [isRevealed, reveal] = useDisclosure()
  const [isRotating, rotation] = useDisclosure()
  const [isRevoking, setRevoking] = useState(false)
  const { secret, previous_secret_expires_at: overlapEnd } = endpoint
  const rotating = useAct({
    done: t.done,
    gcTime: 0,
    mutationFn: () => client.webhooks.rotateSecret.mutate({ revoke_previous: isRevoking }),
    onSuccess(rotated) {
      // If the page was left in the meantime, no cached entry exists. Creating one would cache the secret without
      // removing it.
      queries.setQueryData(endpointQuery.queryKey, shown => shown && rotated)
      rotation.close()
      setRevoking(false)
    },
  })
  return (
    <Stack gap="sm" align="flex-start">
      <Text size="sm" c="dimmed">
        {t.about}
      </Text>
      <Copied value={secret} masked={isRevealed ? secret : hidden} what={t.name} isBlock />
      <Group gap="sm">
        <Button
          variant="default"
          leftSection={isRevealed ? <IconEyeOff size={16} /> : <IconEye size={16} />}
          onClick={reveal.toggle}
          aria-pressed={isRevealed}
        >
          {isRevealed ? t.hide : t.reveal}
        </Button>
        <Button variant="default" leftSection={<IconRefresh size={16} />} onClick={rotation.open}>
          {t.rotate}
        </Button>
      </Group>
      {overlapEnd !== null && (
        <Text size="sm" role="status">
          {t.overlap(format.exactTime(overlapEnd))}
        </Text>
      )}
      <Confirm
        isOpen={isRotating}
        isGrave={isRevoking}
        close={rotation.close}
        title={t.rotateTitle}
        act={t.rotateAct}
        isActing={rotating.isPending}
        onAct={() => rotating.mutate()}
      >
        <Stack>
          {t.rotateMore}
          <Checkbox
            label={t.revoke}
            description={t.revokeMore}
            checked={isRevoking}
            onChange={event => setRevoking(event.currentTarget.checked)}
          />
        </Stack>
      </Confirm>
    </Stack>
  )
}
