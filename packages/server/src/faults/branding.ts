import { withCode } from './with-code.ts'

type Measured = { ratio: number; min: number }
type Dimensions = { width: number; height: number; max: number }

export const brandingFaults = withCode('BAD_REQUEST', {
  color_too_light: ({ ratio, min }: Measured) =>
    `must have a contrast of at least ${min}:1 with white, but has ${ratio}:1; choose a darker color`,
  logo_not_picture: () => 'must be a PNG, JPEG or WebP picture',
  logo_type_differs: ({ declared, found }: { declared: string; found: string }) =>
    `is ${declared}, but the file is a picture of the type ${found}`,
  logo_damaged: () =>
    'must be one complete picture with no data after its end; save the picture as a new file in an image editor',
  logo_animated: () => 'must not be an animated picture',
  logo_too_large: ({ width, height, max }: Dimensions) =>
    `must be at most ${max} × ${max} pixels, but is ${width} × ${height}; make the picture smaller`,
})
