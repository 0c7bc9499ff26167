import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconEye, IconEyeOff, IconRefresh } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
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
      `The secret before this one signs too until ${time}. Give your server the new one by then.`,
    rotateTitle: 'Rotate the signing secret?',
    rotateMore:
      'You get a new secret. For 24 hours webhooks carry two signatures, one of each secret, so that your server verifies them before and after you give it the new one. After that the old one signs no more.',
    again:
      'A secret has been replaced less than 24 hours ago. If you rotate again, that one stops signing at once: a server that still has it refuses every webhook.',
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
      `Rahasia sebelumnya masih ikut menandatangani sampai ${time}. Pasang yang baru di server Anda sebelum waktu itu.`,
    rotateTitle: 'Ganti rahasia penanda tangan?',
    rotateMore:
      'Anda mendapat rahasia baru. Selama 24 jam webhook membawa dua tanda tangan, satu dari setiap rahasia, sehingga server Anda tetap dapat memverifikasi sebelum dan sesudah rahasia baru dipasang. Setelah itu rahasia lama tidak lagi menandatangani.',
    again:
      'Sebuah rahasia diganti kurang dari 24 jam yang lalu. Jika Anda mengganti lagi, rahasia itu langsung berhenti menandatangani: server yang masih memakainya menolak semua webhook.',
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
  const { secret, previous_secret_expires_at: overlapEnd } = endpoint
  const rotating = useAct({
    done: t.done,
    gcTime: 0,
    mutationFn: () => client.webhooks.rotateSecret.mutate({}),
    onSuccess(rotated) {
      // Where the page was left meanwhile, there is nothing to update, and nothing that would forget it again.
      queries.setQueryData(endpointQuery.queryKey, shown => shown && rotated)
      rotation.close()
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
        isGrave={overlapEnd !== null}
        close={rotation.close}
        title={t.rotateTitle}
        act={t.rotateAct}
        isActing={rotating.isPending}
        onAct={() => rotating.mutate()}
      >
        <Stack>
          {t.rotateMore}
          {overlapEnd !== null && <Alert color="orange">{t.again}</Alert>}
        </Stack>
      </Confirm>
    </Stack>
  )
}
