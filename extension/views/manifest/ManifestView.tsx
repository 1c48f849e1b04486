import { ManifestForm } from './ManifestForm.tsx'
import { ValidateForm } from './ValidateForm.tsx'

export const ManifestView = () => (
  <>
    <ManifestForm />
    <ValidateForm />
  </>
)
