//! Objects whose table of the fid and whose own table are replaced by patched copies.

use std::ffi::c_int;

use super::abi::{CLOSE, EINVAL, ENOSYS, FID_OPS, Object, kind};
use super::object_map::ObjectMap;
use super::table::{Field, Table, TableRef};

/// The tables of an object: those of the provider, and ours in their place.
struct Tables<K> {
    fid: TableRef<kind::Fid>,
    own: TableRef<K>,
    our_fid: Table<kind::Fid>,
    our_own: Table<K>,
}

/// Up to 256 objects of one kind, whose own tables are of the kind `K`.
pub(super) struct PatchedObjects<K> {
    tables: ObjectMap<Tables<K>, 256>,
    /// The field of an object with its own table.
    field: Field<K>,
}

impl<K: Send + Sync> PatchedObjects<K> {
    /// No object yet.
    pub(super) const fn new(field: Field<K>) -> Self {
        Self {
            tables: ObjectMap::new(),
            field,
        }
    }

    /// Replaces the tables of an object; nothing happens if it was replaced before, or there is no
    /// room.
    ///
    /// # Safety
    ///
    /// `object` is a live object of libfabric that has both tables, which live as long as it does;
    /// [`PatchedObjects::close`] is called before it is freed.
    pub(super) unsafe fn patch(
        &self,
        object: Object,
        patch_fid: impl FnOnce(Table<kind::Fid>) -> Table<kind::Fid>,
        patch_own: impl FnOnce(Table<K>) -> Table<K>,
    ) {
        // SAFETY: the caller promises that the object has both tables, and how long they live.
        let (fid, own) = unsafe {
            (
                TableRef::of(object, &FID_OPS),
                TableRef::of(object, &self.field),
            )
        };
        let (Some(our_fid), Some(our_own)) = (fid.copy(), own.copy()) else {
            return;
        };
        let tables = Tables {
            fid,
            own,
            our_fid: patch_fid(our_fid),
            our_own: patch_own(our_own),
        };
        // SAFETY: the object is live and has both fields, as the caller promises. Our tables stay
        // in the map until `close` has put those of the provider back.
        let replace = |tables: &Tables<K>| unsafe { self.replace(object, tables) };
        let _ = self.tables.insert(object, tables, replace);
    }

    /// # Safety
    ///
    /// `object` is live and has both fields, and `tables` stay as long as they are there.
    unsafe fn replace(&self, object: Object, tables: &Tables<K>) {
        // SAFETY: as the caller promises.
        unsafe {
            tables.our_fid.as_table().put(object, &FID_OPS);
            tables.our_own.as_table().put(object, &self.field);
        }
    }

    fn find(&self, object: Object) -> Option<&Tables<K>> {
        // SAFETY: an object is removed when it was closed, and libfabric forbids to close an object
        // while another call on it lasts: no call that uses the answer is under way then.
        unsafe { self.tables.find(object) }
    }

    /// The table of the provider that our own one of an object stands for.
    pub(super) fn own(&self, object: Object) -> Option<TableRef<K>> {
        self.find(object).map(|tables| tables.own)
    }

    /// The table of the provider that our one of its fid stands for.
    pub(super) fn fid(&self, object: Object) -> Option<TableRef<kind::Fid>> {
        self.find(object).map(|tables| tables.fid)
    }

    /// Closes an object by the provider: it gets its own tables back before it goes, and ours again
    /// if it stays.
    pub(super) fn close(&self, object: Object) -> c_int {
        let Some(tables) = self.find(object) else {
            return EINVAL;
        };
        let Some(real) = tables.fid.function(&CLOSE) else {
            return ENOSYS;
        };
        // SAFETY: the object is live, since it is in the map and was not closed yet, and has both
        // fields; the tables are those that it had.
        unsafe {
            tables.fid.put(object, &FID_OPS);
            tables.own.put(object, &self.field);
        }
        let done = real(object);
        if done == 0 {
            // SAFETY: the object is gone, so that no call on it is under way; `tables` is not used
            // any more.
            drop(unsafe { self.tables.remove(object) });
        } else {
            // SAFETY: the object was not closed, and is live as before; its tables stay in the map.
            unsafe { self.replace(object, tables) };
        }
        done
    }
}
