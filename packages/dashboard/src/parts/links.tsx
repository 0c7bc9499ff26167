// Link components of the UI library Mantine. The router's types restrict each link's target to the pages of
// the dashboard.

import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes } from 'react'

type Native<Own> = Own & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Own>

export const TextLink = createLink((given: Native<AnchorProps>) => <Anchor {...given} />)
export const ButtonLink = createLink((given: Native<ButtonProps>) => <Button component="a" {...given} />)
