import { Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconEye, IconEyeOff, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat } from '../format/format.ts'
import { useWords, words } from '../language/language.tsx'
import { Confirm } from '../parts/confirm.tsx'
import { Copied } from '../parts/copied.tsx'
import { useAct } from '../parts/use-act.ts'

const text = words({
  en: {
    about:
      'Your server uses this secret to verify that a webhook comes from Gapura. Store the secret only on your server.',
    name: 'the secret',
    reveal: 'Reveal',
    hide: 'Hide',
    rotate: 'Rotate…',
    overlap: (time: string) =>
      `Webhooks are also signed with previous secrets until ${time} at the latest. Add the new secret to your server before then.`,
    rotateTitle: 'Rotate the signing secret?',
    rotateMore:
      'Creates a new secret. For 24 hours, webhooks are also signed with the old secret, so that you can update your server without downtime. After that, only the new secret is used.',
    revoke: 'Stop using all previous secrets now',
    revokeMore:
      'Use this if a webhook secret has leaked. A server that still uses a previous secret will then reject every webhook.',
    rotateAct: 'Create new secret',
    done: 'New secret created',
  },
  id: {
    about:
      'Server Anda memakai kunci rahasia ini untuk memverifikasi bahwa webhook berasal dari Gapura. Simpan kunci rahasia hanya di server Anda.',
    name: 'kunci rahasia',
    reveal: 'Tampilkan',
    hide: 'Sembunyikan',
    rotate: 'Ganti…',
    overlap: (time: string) =>
      `Kunci rahasia sebelumnya juga menandatangani webhook, paling lambat sampai ${time}. Pasang kunci rahasia baru di server Anda sebelum waktu itu.`,
    rotateTitle: 'Ganti kunci rahasia webhook?',
    rotateMore:
      'Membuat kunci rahasia baru. Selama 24 jam, webhook juga ditandatangani dengan kunci rahasia lama, agar server dapat diperbarui tanpa gangguan. Setelah itu, hanya kunci rahasia baru yang dipakai.',
    revoke: 'Hentikan semua kunci rahasia sebelumnya sekarang',
    revokeMore:
      'Gunakan jika kunci rahasia webhook bocor. Server yang masih memakai kunci rahasia sebelumnya akan menolak semua webhook.',
    rotateAct: 'Buat kunci rahasia baru',
    done: 'Kunci rahasia baru telah dibuat',
  },
})

const hidden = `whsec_${'•'.repeat(12)}`

type Given = {
  secret: string
  /**
   * The time at which the last of the previous secrets stops signing webhooks. Null if no previous secret is
   * in use.
   */
  overlapEnd: string | null
  rotate: (revokePrevious: boolean) => Promise<unknown>
}

/** Shows a webhook endpoint's signing secret, with a button that rotates it. */
export function Secret({ secret, overlapEnd, rotate }: Given) {
  const t = useWords(text)
  const format = useFormat()
  const [isRevealed, reveal] = useDisclosure()
  const [isRotating, rotation] = useDisclosure()
  const [isRevoking, setRevoking] = useState(false)
  const rotating = useAct({
    done: t.done,
    gcTime: 0,
    mutationFn: () => rotate(isRevoking),
    onSuccess() {
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
