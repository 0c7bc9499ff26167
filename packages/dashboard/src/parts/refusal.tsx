import { Alert } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'

/** A form error that belongs to no single field. */
export const Refusal = ({ said }: { said: string | undefined }) =>
  said && (
    <Alert color="red" icon={<IconAlertCircle />} role="alert" my="xs">
      {said}
    </Alert>
  )
