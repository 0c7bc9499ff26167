import { brandingInput } from '@gapura/server/branding-input'
import { Button, Grid, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { client, type Outputs, trpc } from '../api/trpc.ts'
import { useFaultText } from '../language/fault-texts.ts'
import { useWords, words } from '../language/language.tsx'
import { Refusal } from '../parts/refusal.tsx'
import { Unsaved } from '../parts/unsaved.tsx'
import { useAct } from '../parts/use-act.ts'
import { useChecks } from '../parts/use-checks.ts'
import { useAccount } from '../session/account.ts'
import { BrandPreview } from './brand-preview.tsx'
import { type BrandingDraft, brandingOf, draftOf, faultOfColor } from './branding-draft.ts'
import { ColorField } from './color-field.tsx'
import { LogoField } from './logo-field.tsx'

const text = words({
  en: {
    about:
      'Your customers see this at the top of payment pages, for example when an e-wallet returns them after a payment.',
    name: 'Name',
    nameHint: (name: string) => `Leave this field empty to show your account name, ${name}.`,
    save: 'Save branding',
    saved: 'Branding saved. New visitors see it immediately.',
  },
  id: {
    about:
      'Yang dilihat pelanggan Anda di bagian atas halaman pembayaran, misalnya halaman tujuan setelah membayar dengan dompet digital.',
    name: 'Nama',
    nameHint: (name: string) => `Kosongkan agar nama akun Anda, ${name}, yang ditampilkan.`,
    save: 'Simpan tampilan',
    saved: 'Tampilan merek disimpan. Pengunjung berikutnya langsung melihatnya.',
  },
})

export function BrandingForm({ branding }: { branding: Outputs['branding']['get'] }) {
  const t = useWords(text)
  const queries = useQueryClient()
  const { name } = useAccount()
  const check = useChecks(brandingInput)
  const faultText = useFaultText()
  const form = useForm<BrandingDraft>({
    initialValues: draftOf(branding),
    validate(draft) {
      const fault = faultOfColor(draft.color)
      return { ...check(brandingOf(draft)), ...(fault && { color: faultText({ ...fault, message: '' }) }) }
    },
  })
  const saving = useAct({
    form,
    done: t.saved,
    mutationFn: (draft: BrandingDraft) => client.branding.set.mutate(brandingOf(draft)),
    onSuccess(saved) {
      queries.setQueryData(trpc.branding.get.queryKey({}), saved)
      form.setInitialValues(draftOf(saved))
      form.reset()
    },
  })
  return (
    <form noValidate onSubmit={form.onSubmit(draft => saving.mutate(draft))}>
      <Unsaved isDirty={form.isDirty()} />
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t.about}
        </Text>
        <Grid gap="xl">
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Stack gap="md">
              <TextInput
                label={t.name}
                description={t.nameHint(name)}
                autoComplete="off"
                {...form.getInputProps('display_name')}
              />
              <ColorField {...form.getInputProps('color')} />
              <LogoField
                {...form.getInputProps('logo')}
                error={form.errors['logo.data'] ?? form.errors['logo.content_type']}
              />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <BrandPreview draft={form.values} />
          </Grid.Col>
        </Grid>
        <Refusal said={saving.refusal} />
        <div>
          <Button type="submit" loading={saving.isPending}>
            {t.save}
          </Button>
        </div>
      </Stack>
    </form>
  )
}
