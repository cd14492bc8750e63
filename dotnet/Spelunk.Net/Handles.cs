using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Spelunk
{
    /// <summary>Something of the library that is freed when nobody uses it any more, also where that was forgotten.</summary>
    internal abstract class Handle : SafeHandle
    {
        protected Handle(IntPtr value) : base(IntPtr.Zero, true)
        {
            SetHandle(value);
        }

        public override bool IsInvalid
        {
            get { return handle == IntPtr.Zero; }
        }

        protected override bool ReleaseHandle()
        {
            return Native.spl_free(handle) == (int)Status.Ok;
        }

        /// <summary>The handle for one call, which <see cref="Leave"/> has to follow: it is not freed meanwhile.</summary>
        internal IntPtr Enter()
        {
            var entered = false;
            DangerousAddRef(ref entered);
            return handle;
        }

        internal void Leave()
        {
            DangerousRelease();
        }
    }

    internal sealed class SessionHandle : Handle
    {
        internal SessionHandle(IntPtr value) : base(value)
        {
        }
    }

    internal sealed class FileHandle : Handle
    {
        internal FileHandle(IntPtr value) : base(value)
        {
        }
    }

    internal sealed class RowsHandle : Handle
    {
        private bool isForgotten;

        internal RowsHandle(IntPtr value) : base(value)
        {
        }

        /// <summary>Freeing rows waits for their verb. Where they were forgotten, the thread that tidies up everything else does not wait
        /// for it.</summary>
        protected override void Dispose(bool disposing)
        {
            isForgotten = !disposing;
            base.Dispose(disposing);
        }

        protected override bool ReleaseHandle()
        {
            if (!isForgotten || Environment.HasShutdownStarted)
            {
                return base.ReleaseHandle();
            }
            var rows = handle;
            Native.spl_cancel(rows);
            return ThreadPool.QueueUserWorkItem(_ => Native.spl_free(rows));
        }

        /// <summary>Ends the verb. What was freed has ended.</summary>
        internal void Cancel()
        {
            if (IsClosed)
            {
                return;
            }
            try
            {
                var rows = Enter();
                try
                {
                    Failure.Check(Native.spl_cancel(rows));
                }
                finally
                {
                    Leave();
                }
            }
            catch (ObjectDisposedException)
            {
                // Another thread freed it since.
            }
        }
    }

    internal sealed class PackHandle : Handle
    {
        internal PackHandle(IntPtr value) : base(value)
        {
        }
    }

    internal sealed class ViewHandle : Handle
    {
        internal ViewHandle(IntPtr value) : base(value)
        {
        }
    }
}
