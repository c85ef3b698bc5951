import { CollectionForm } from './CollectionForm'
import { DeleteDocument } from './DeleteDocument'
import { DocumentForm } from './DocumentForm'
import { ImportDialog } from './ImportDialog'
import { PastDocuments } from './PastDocuments'
import { SearchForm } from './SearchForm'
import { StructureTab } from './StructureTab'

/** What most visits do not need, in one script: forms, all that writes, and lists of the past. */
export const writing = {
  CollectionForm,
  DeleteDocument,
  DocumentForm,
  ImportDialog,
  PastDocuments,
  SearchForm,
  StructureTab,
}
